// Which threads of this process are inside a procedure of GASPI's, so that none of them outlives what it uses.
#pragma once

#include <atomic>
#include <functional>

#include "wherry/core/interruptible.hpp"

namespace wherry::gaspi {

class world;

/// A thread inside the procedure `call`, a literal. Its waits end by error(state) when the world ends.
class inside {
 public:
  explicit inside(const char* call);
  ~inside();
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;

  /// Null: not between gaspi_proc_init and gaspi_proc_term. It stays for as long as this lives.
  world* found() const { return found_; }

 private:
  bool is_outermost_;
  detail::interruptible waits_;
  world* found_;
};

/// Whether the world is about to end: waits must end, too.
bool world_ends();

/// Lets no further thread into the world, ends the waits of those that are inside, and returns when all have left but
/// this one. @param wake called again and again, for waits that are not Wherry's
void shut_world(const std::function<void()>& wake);

/// Before a world is opened.
void open_world();

}  // namespace wherry::gaspi
