/// @file
/// The hand-written halo exchanges, and the limits. One file each.
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
std::unique_ptr<peer> make_many_messages(const problem& p);  // 26 messages, packed
std::unique_ptr<peer> make_one_message(const problem& p);    // one message a rank, copies to oneself direct
std::unique_ptr<peer> make_datatypes(const problem& p);      // 26 messages of subarray datatypes, no packing
std::unique_ptr<peer> make_neighborhood(const problem& p);   // MPI_Neighbor_alltoallw of subarray datatypes
std::unique_ptr<peer> make_three_phases(const problem& p);   // x, then y, then z; copies to oneself direct

/// Limits: the same bytes, copied within the rank, no communication. By the 26 boxes, or dimension by dimension.
std::unique_ptr<peer> make_local_boxes(const problem& p);
std::unique_ptr<peer> make_local_phases(const problem& p);

/// The boxes of one dimension when dimensions are exchanged one after the other: those before are whole by then.
struct phase {
  cells low_halo, low_core, high_core, high_halo;
};
phase phase_of(const problem& p, int dimension);
/// The same when `done[d]` says which dimensions are whole.
phase phase_of(const problem& p, int dimension, const std::array<bool, 3>& done);

struct peer_row {
  std::string name;
  std::unique_ptr<peer> (*make)(const problem&);
};
const std::vector<peer_row>& hand_written();

}  // namespace bench::halo
