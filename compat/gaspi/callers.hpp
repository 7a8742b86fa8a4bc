// Tracks the threads inside GASPI procedures, so that gaspi_proc_term can wait until none of them uses the world.
#pragma once

#include <atomic>
#include <functional>

#include "wherry/core/interruptible.hpp"

namespace wherry::gaspi {

class world;

/// Marks this thread as inside the procedure `call`, a literal. Its waits end with error(state) when the world ends.
class inside {
 public:
  explicit inside(const char* call);
  ~inside();
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

  /// The world, which lives at least as long as this object; null outside gaspi_proc_init and gaspi_proc_term.
  world* found() const { return found_; }

 private:
  bool is_outermost_;
  detail::interruptible waits_;
  world* found_;
};

/// True if the world is about to end, so that waits must end, too.
bool world_ends();

/// Closes the world to further threads, ends the waits of threads inside, and returns when all but this one have left.
/// @param wake called repeatedly, for waits that are not Wherry's
void shut_world(const std::function<void()>& wake);

/// Call this before a new world is used.
void open_world();

}  // namespace wherry::gaspi
