// Calls of all collectives with all kinds of arguments, and what must come of them, found out the obvious way: each
// rank knows what every rank contributes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

namespace collective_oracle {

using wherry::collective::call;
using wherry::collective::kind;

constexpr int first_of_neighbours = static_cast<int>(kind::neighbor_allgather);
constexpr auto same_among_few = "what it tests is the same among few ranks";

/// Hundreds of ranks are simulated, and send some ten thousand messages a call where few send ten.
inline bool are_hundreds(const wherry_test::context& test) { return test.size > 32; }

/// A call with its buffers, and what must be in the receive buffer afterwards.
class trial {
 public:
  trial() = default;
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;
  ~trial();

  call what;
  std::string name;
  /// Before the call: its buffers are now in memory that the node shares. Local.
  void move_to_node_memory(const wherry::communicator& comm);
  /// After the call: what is wrong; empty: nothing.
  std::string verdict();
  /// Before another call with the same arguments: the contents, not the addresses, are those of another version.
  void take_contents_of(const trial& version);

  std::vector<std::byte> send, receive, expected, sent;
  std::vector<int> send_counts, send_places, receive_counts, receive_places;
  std::vector<MPI_Datatype> send_types, receive_types;
  std::vector<MPI_Aint> send_addresses, receive_addresses;
  std::vector<MPI_Datatype> types_to_free;
  std::vector<MPI_Op> ops_to_free;
  // Of a reduction: what is compared, without gaps.
  int compared_elements = 0, extent = 0;
  MPI_Datatype compared_type = MPI_DATATYPE_NULL;
  wherry::node_memory send_of_node, receive_of_node;
};

/// A random call, the same on all ranks but for what may differ: the layouts of equal data.
/// @param random in the same state on all ranks
/// @param most elements of a block
/// @param version of the contents; what has the same of all else differs in nothing else
std::unique_ptr<trial> random_trial(wherry_test::random_numbers& random, kind what, MPI_Comm comm, int most,
                                    int version = 0);

}  // namespace collective_oracle
