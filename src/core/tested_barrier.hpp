// A barrier that is tested: who waits for it does other things.
#pragma once

#include <array>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// One barrier of all ranks of a communicator: MPI_Ibarrier. Except on a simulator: MPI_Ibarrier of SimGrid 3.32 ends
/// on each rank as soon as rank 0 is in it (rank 0 answers before it is asked), so that there messages without bytes go
/// from rank to rank, as in the dissemination barrier of Hensgen, Finkel, Manber (1988).
class tested_barrier {
 public:
  /// Collective in that all ranks make one at the same point of their program; sends nothing.
  explicit tested_barrier(const communicator& comm);
  /// This rank is here. Once.
  void enter();
  bool entered() const { return entered_; }
  /// True: all ranks have entered. Not asked again then.
  bool ended();

 private:
  void send_ahead();  // of the simulator's barrier

  const communicator& comm_;
  int tag_ = 0, distance_ = 1;
  bool entered_ = false;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace wherry
