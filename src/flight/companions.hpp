// The flights of this process that not only their owners drive: every wait drives all of them, so that ranks may wait
// in different orders. These flights are exchanges of several stages, whose later messages leave only when the exchange
// is driven; exchanges that owed a message after their start; streams; and the graveyard, which holds the flights that
// were abandoned and for which nobody will wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "progress_thread.hpp"

namespace wherry::companions {

void attach(flight& work);
/// When it returns, no thread drives this flight through `progress`, and none will.
void detach(flight& work);
/// Drives every flight that is under way and whose turn is free.
void progress();

/// Takes over a flight that its owner has abandoned, attached or not, and destroys it when it is no longer in flight. A
/// flight that a failure has ended is kept until the process ends, because MPI may still use its memory. MPI_Finalize
/// drives the graveyard once more while a flight still owes its peers a message; the memory of the others is left to
/// MPI.
void adopt(std::unique_ptr<flight> work) noexcept;

/// While an object of this class lives, its thread drives flights. MPI may call the thread back meanwhile: MPICH frees
/// a communicator when the last request in it completes. Such a callback must not wait for a flight that the thread
/// itself is driving.
class driving {
 public:
  driving() { ++depth_; }
  driving(const driving&) = delete;
  driving& operator=(const driving&) = delete;
  ~driving() { --depth_; }
  static bool here() { return depth_ != 0; }

 private:
  static constinit inline thread_local int depth_ = 0;
};

/// The number of adopted flights that were not complete when somebody last looked.
inline constinit std::atomic<std::size_t> adopted{0};

/// Drives the graveyard and destroys the flights that are complete. Binding and starting call it, because a program
/// that does both may not wait for a long time. If nothing was abandoned, it costs one load.
inline void tend_graveyard() {
  if (adopted.load(std::memory_order_relaxed) != 0) progress();
}

}  // namespace wherry::companions
