/// @file
/// The placement probe measures the distance between the cores of the first two ranks of a node. On machines that move
/// processes between "near" and "far" cores, comparisons are void, so measure before and after.
#pragma once

#include <mpi.h>

namespace bench {

class placement_probe {
 public:
  /// Collective.
  explicit placement_probe(MPI_Comm comm);
  ~placement_probe();
  placement_probe(const placement_probe&) = delete;
  placement_probe& operator=(const placement_probe&) = delete;

  /// Collective. Returns the microseconds from the store of one rank until the other one sees it, on rank 0's node; 0
  /// with a single rank.
  double handshake_us();

 private:
  MPI_Comm comm_;
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  char* memory_ = nullptr;
  int turn_ = 0;
};

/// True if two probes found different placements.
bool placement_moved(double before_us, double after_us);

}  // namespace bench
