// How a wait waits: spin briefly, then keep MPI progressing and give the core away, then sleep a little. Now and then
// it looks whether those it waits for still live.
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

/// "1, 2", for people.
std::string list_of(const std::vector<int>& ranks);
/// "0, 2, 5, ...": the first eight.
std::string first_of(const std::vector<int>& ranks);

/// Of a limit of time that a user gives: less than 0 is as good as 0, which only looks, and infinity is no limit.
/// @throws error(argument) for what is not a number
void require_seconds(double seconds, std::string_view where, int rank);

/// One wait. `pause` is called between two polls that found nothing.
class patience {
 public:
  patience(const communicator& comm, std::string_view pattern, std::string_view what, std::uint64_t sequence = 0)
      : comm_(comm), pattern_(pattern), what_(what), sequence_(sequence) {}

  /// For those whose caller has said how long: then `pause_in_vain` is true after so many seconds, WHERRY_TIMEOUT or
  /// not.
  patience& within(double seconds) {
    seconds_ = seconds;
    return *this;
  }

  /// For those who know whom they wait for: only if one of these ranks, ascending, dies do they give up. They outlive
  /// this. Else any rank of the node is meant, but for those that somebody has taken for dead.
  patience& needs(const std::vector<int>& ranks) {
    needed_ = &ranks;
    return *this;
  }

  /// @param append_missing fills in the ranks that have not arrived; called only for the error of a timeout.
  template <class AppendMissing> void pause(AppendMissing&& append_missing) {
    if (pause_in_vain()) give_up(append_missing);
  }
  /// Polls until that is true, for so many seconds of the caller's: 0 only looks, once more when MPI has made progress,
  /// since who only looks, again and again, must not keep a put from coming in; infinitely many end as `pause` does.
  /// @return false: his time is up
  /// @throws error(argument), before it polls, for what is not a number
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
  /// Where nobody can know who is missing.
  template <class Poll> bool poll_for(double seconds, Poll&& poll) {
    return poll_for(seconds, std::forward<Poll>(poll), [](std::vector<int>&) {});
  }
  /// Throws what `pause` does when the time is up.
  template <class AppendMissing> [[noreturn]] void give_up(AppendMissing&& append_missing) const {
    std::vector<int> missing;
    append_missing(missing);
    throw_timeout(std::move(missing));
  }

  /// Where nobody can know who is missing.
  void pause() {
    pause([](std::vector<int>&) {});
  }

  /// For those who have something to do before they throw: pauses, true when the time is up.
  bool pause_in_vain() {
    if (polls_ >= spin_limit()) return slow_pause();
    ++polls_;
    relax();
    return false;
  }

  /// What every wait of this process does besides, from a floor above: drives what else is in flight.
  static void meanwhile(void (*work)());

  /// How often a wait looks before it does anything else.
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
  bool slow_pause();  // true when the time is up
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
