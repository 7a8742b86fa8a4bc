// The way in which a wait waits: it polls briefly, then lets MPI progress and gives the core away, then sleeps for
// short times. Now and then it checks that the ranks for which it waits still live.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// "1, 2", for texts.
std::string list_of(const std::vector<int>& ranks);
/// "0, 2, 5, ...": the first eight ranks.
std::string first_of(const std::vector<int>& ranks);

/// Checks a time limit that a user gives. A negative limit counts as 0, which only looks; infinity is no limit.
/// @throws error(argument) if it is not a number
void require_seconds(double seconds, std::string_view where, int rank);

/// One wait. Call `pause` between two polls that found nothing.
class patience {
 public:
  patience(const communicator& comm, std::string_view pattern, std::string_view what, std::uint64_t sequence = 0)
      : comm_(comm), pattern_(pattern), what_(what), sequence_(sequence) {}

  /// Sets a limit of the caller's: `pause_in_vain` is true after this number of seconds, whatever WHERRY_TIMEOUT says.
  patience& within(double seconds) {
    seconds_ = seconds;
    return *this;
  }

  /// Names the ranks, in ascending order, for which the caller waits: it gives up if one of them dies, and not if
  /// another rank does. The list must outlive this object. Without it, the wait gives up if any rank of the node dies
  /// that was not taken for dead before.
  patience& needs(const std::vector<int>& ranks) {
    needed_ = &ranks;
    return *this;
  }

  /// @param append_missing appends the ranks that have not arrived. It is called only for the error of a timeout
  template <class AppendMissing> void pause(AppendMissing&& append_missing) {
    if (pause_in_vain()) give_up(append_missing);
  }
  /// Polls until `poll()` is true, for at most `seconds`. 0 only looks, and looks once more after MPI has made
  /// progress, because a program that looks again and again must let a put arrive. Without a limit it ends as `pause`
  /// does.
  /// @return false if time is up
  /// @throws error(argument), before it polls, if `seconds` is not a number
  template <class Poll, class AppendMissing>
  bool poll_for(double seconds, Poll&& poll, AppendMissing&& append_missing) {
    require_seconds(seconds, pattern_, comm_.rank());
    if (poll()) return true;
    if (seconds <= 0) {
      progress();
      return poll();
    }
    const bool limited = seconds < std::numeric_limits<double>::infinity();
    if (limited) within(seconds);
    while (!poll())
      if (pause_in_vain()) {
        if (limited) return false;
        give_up(append_missing);
      }
    return true;
  }
  /// For waits in which the missing ranks are not known.
  template <class Poll> bool poll_for(double seconds, Poll&& poll) {
    return poll_for(seconds, std::forward<Poll>(poll), [](std::vector<int>&) {});
  }
  /// Throws the error that `pause` throws when time is up.
  template <class AppendMissing> [[noreturn]] void give_up(AppendMissing&& append_missing) const {
    std::vector<int> missing;
    append_missing(missing);
    throw_timeout(std::move(missing));
  }

  /// For waits in which the missing ranks are not known.
  void pause() {
    pause([](std::vector<int>&) {});
  }

  /// For callers that must do something before they throw: pauses, and returns true when time is up.
  bool pause_in_vain() {
    if (polls_ >= spin_limit()) return slow_pause();
    ++polls_;
    relax();
    return false;
  }

  /// Sets work that every wait of this process also does: a higher layer drives everything else that is in flight.
  static void meanwhile(void (*work)());

  /// The number of polls before a wait does anything else.
  static int spin_limit();

 private:
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  void progress() const;
  bool slow_pause();  // true when time is up
  void look_for_the_dead();
  [[noreturn]] void throw_lost(std::vector<int> dead) const;
  [[noreturn]] void throw_timeout(std::vector<int> missing) const;

  const communicator& comm_;
  std::string_view pattern_, what_;
  std::uint64_t sequence_;
  int polls_ = 0;
  unsigned yields_ = 0;
  double seconds_ = -1;
  std::chrono::steady_clock::time_point began_{}, next_look_{};
  const std::vector<int>* needed_ = nullptr;
  bool has_found_dead_ = false;
};

}  // namespace wherry
