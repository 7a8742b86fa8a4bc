/// @file
/// Lets one thread end the waits of another thread.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "wherry/core/error.hpp"

namespace wherry::detail {

/// While an object of this class lives, every wait of its thread throws error(state) with the text `why` once `ended`
/// is true. If a thread has several of them, the one that was made last counts. Both arguments must outlive the object.
class interruptible {
 public:
  interruptible(const std::atomic<bool>& ended, std::string_view why) : ended_(ended), why_(why), outer_(of_thread_) {
    of_thread_ = this;
  }
  ~interruptible() { of_thread_ = outer_; }
  interruptible(const interruptible&) = delete;
  interruptible& operator=(const interruptible&) = delete;

  /// Every wait that takes long calls this. @throws error(state) if `ended` of this thread's innermost object is true
  static void check(std::string_view pattern, int rank) {
    if (of_thread_ != nullptr && of_thread_->ended_.load(std::memory_order_acquire))
      throw error(error_kind::state, pattern, std::string(of_thread_->why_), rank);
  }

 private:
  inline static thread_local const interruptible* of_thread_ = nullptr;

  const std::atomic<bool>& ended_;
  std::string_view why_;
  const interruptible* outer_;
};

}  // namespace wherry::detail
