/// @file
/// Fills the ghost cells of a level by hand, for comparison: rows are copied if both blocks are on this rank, and
/// otherwise packed into one message for each rank.
#pragma once

#include "level.hpp"

namespace amr {

class hand_written_fill {
 public:
  /// Local. For the arrays of this level only.
  explicit hand_written_fill(level& l);
  void operator()();

 private:
  struct rows {
    double* first;  // dimension 0 is contiguous
    index_t length, count, stride;
  };
  struct copy {
    rows from, to;
  };
  struct message {
    int peer;
    std::vector<rows> parts;
    std::vector<double> buffer;
  };
  static message& to_peer(std::vector<message>& list, int peer);

  MPI_Comm comm_;
  std::vector<copy> copies_;
  std::vector<message> sends_, receives_;
  std::vector<MPI_Request> requests_;
};

}  // namespace amr
