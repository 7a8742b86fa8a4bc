/// @file
/// Options of sparse exchanges.
///
///     const wherry::sparse_options how{.algorithm = "consensus"};
#pragma once

#include <cstddef>
#include <optional>
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
  ///     node_aware `shared` inside a node; between two nodes one message, which the ranks of both nodes share
  std::string algorithm = "auto";
  /// The ranks that send to this one, if all ranks know theirs: only the sizes are then unknown, and nothing is sent
  /// between other ranks. A rank may then give parcels only to ranks that have it in their list, and must give one to
  /// each of them, perhaps without elements. An error of one rank is then an error on the ranks that receive from it.
  /// The algorithms dense and consensus are the same then. All ranks give a list, or none does.
  std::optional<std::vector<int>> receive_from{};
  /// Bytes of elements that leave and that arrive at once, on each rank; more wait for their turn. So the memory of a
  /// rank is bounded by the elements that it gives, those that arrive, and twice this. 0: no limit. Only for `send_to`
  /// and `sparse_exchange`, not for those that `start_…`, and not with `receive_from`.
  std::size_t limit_bytes = 0;
};

/// The names of the algorithms, "auto" not included. Local.
std::vector<std::string> sparse_algorithms();

}  // namespace wherry
