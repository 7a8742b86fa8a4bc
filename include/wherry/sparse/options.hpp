/// @file
/// Options of sparse exchanges.
///
///     const wherry::sparse_options how{.algorithm = "consensus"};
#pragma once

#include <string>
#include <vector>

namespace wherry {

/// Options of `send_to` and `sparse_exchange`. They must be the same on all ranks.
struct sparse_options {
  /// The name of an algorithm, or "auto", which chooses by the numbers of ranks and of nodes. `WHERRY_SPARSE` overrides
  /// it.
  ///
  ///     dense      each rank sends a message to each rank, with the number of elements and the first of them
  ///     consensus  synchronous messages to the receivers alone; an agreement tells all ranks that no more will come
  ///     shared     `dense`, but ranks of the same node read each other's elements in node-shared memory
  std::string algorithm = "auto";
};

/// The names of the algorithms, "auto" not included. Local.
std::vector<std::string> sparse_algorithms();

}  // namespace wherry
