/// @file
/// The placement probe: how far apart the cores of the first two ranks of a node are. Machines that move processes
/// between "near" and "far" cores make comparisons void: measure before and after.
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

  /// Collective. Microseconds from one rank's store to the other's seeing it, on rank 0's node; 0 with a single rank.
  double handshake_us();

 private:
  MPI_Comm comm_;
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  char* memory_ = nullptr;
  int turn_ = 0;
};

/// True when two probes found different placements.
bool placement_moved(double before_us, double after_us);

}  // namespace bench
