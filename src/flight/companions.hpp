// What is in flight in this process and wants to be driven by others than its owner. Whoever waits for anything drives
// it all, so that ranks may wait in different orders: exchanges of several stages, whose later messages leave only when
// somebody drives them, and those that owed a message after a start; streams; and the graveyard: what was abandoned in
// flight, which nobody else will wait for.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "progress_thread.hpp"

namespace wherry::companions {

void attach(flight& work);
/// When it returns nobody is, or will be, at this work.
void detach(flight& work);
/// Drives what is in flight and whose turn is free.
void progress();

/// Takes over what its owner has abandoned, attached or not, and destroys it once it is no longer in flight. What a
/// failure ended is kept for good: MPI may still know its memory. When MPI_Finalize begins, those get a last chance
/// whose peers wait for what they have yet to send; the others' memory is left to MPI.
void adopt(std::unique_ptr<flight> work) noexcept;

/// For as long as this lives its thread drives something. MPI may call the thread back from there (MPICH frees a
/// communicator when the last request in it completes): it must not wait then for what it drives itself.
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

/// How many are adopted and not at their end, as far as anybody has looked.
inline constinit std::atomic<std::size_t> adopted{0};

/// Lets what was abandoned go on, and destroys what is at its end. A program that binds and starts may never wait for
/// long, so both call this. One load where nothing was abandoned.
inline void tend_graveyard() {
  if (adopted.load(std::memory_order_relaxed) != 0) progress();
}

}  // namespace wherry::companions
