/// @file
/// The hand-written halo exchanges, and the limits. Each is in a file of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halo/problem.hpp"

namespace bench::halo {

class peer {
 public:
  virtual ~peer() = default;
  virtual void exchange() = 0;
};

// All are collective.
std::unique_ptr<peer> make_many_messages(const problem& p);  // a message a direction, packed
std::unique_ptr<peer> make_one_message(const problem& p);    // one message a rank, copies to oneself direct
std::unique_ptr<peer> make_datatypes(const problem& p);      // messages of subarray datatypes, no packing
std::unique_ptr<peer> make_neighborhood(const problem& p);   // MPI_Neighbor_alltoallw of subarray datatypes
std::unique_ptr<peer> make_three_phases(const problem& p);   // dimension after dimension; copies to oneself direct
std::unique_ptr<peer> make_shared_phases(const problem& p);  // the same through a window that the node shares, flags
#if defined(_OPENMP)
std::unique_ptr<peer> make_team_phases(const problem& p);  // dimension after dimension, by OpenMP's threads
#endif

/// The limits: the same bytes, copied within the rank. The first two copy the boxes of all directions, or dimension by
/// dimension; the third packs, sets a flag, and unpacks from the rank's own buffer.
std::unique_ptr<peer> make_local_boxes(const problem& p);
std::unique_ptr<peer> make_local_phases(const problem& p);
std::unique_ptr<peer> make_flag_and_copies(const problem& p);

/// One dimension of an exchange dimension after dimension. The halos of the dimensions before it are complete by then.
struct phase {
  cells low_halo, low_core, high_core, high_halo;
  int low = 0, high = 0;  ///< the neighbouring ranks on the low and the high side
  std::size_t bytes = 0;  ///< of one side, all fields
};
/// The dimensions with several ranks come first, because the others then copy whole rows to the rank itself.
std::vector<phase> phases_of(const problem& p);

struct peer_row {
  std::string name;
  std::unique_ptr<peer> (*make)(const problem&);
  bool on_a_node = false;  ///< only among ranks that share memory
};
const std::vector<peer_row>& hand_written();

/// True if all ranks share memory. Collective.
bool share_a_node(MPI_Comm comm);

}  // namespace bench::halo
