// Counts calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// Calls that MPI did, since what was chosen could not, for one reason.
struct fallen_calls {
  fallen_calls(kind k, std::string_view implementation, std::string_view reason)
      : what(k), wanted(implementation), why(reason) {}
  kind what;
  std::string_view wanted, why;
  std::atomic<std::uint64_t> calls{0};

  /// As `call_counts::count` does.
  void count() { calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

/// Of one communicator, by kind and place in the table of implementations. Its collectives are one thread's at a time:
/// so counting takes no locked instruction, which would wait until what was written before has left the core.
class call_counts {
 public:
  static constexpr std::size_t most_implementations = 32;
  using table = std::array<std::array<std::atomic<std::uint64_t>, most_implementations>, kinds>;

  call_counts();
  call_counts(const call_counts&) = delete;
  call_counts& operator=(const call_counts&) = delete;
  /// They still count among all.
  ~call_counts();

  void count(kind what, int implementation) {
    auto& one = calls_[static_cast<std::size_t>(what)][static_cast<std::size_t>(implementation)];
    one.store(one.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  const table& so_far() const { return calls_; }

  /// Those of this reason, for as long as this is there. @param wanted the implementation, @param why for ever valid
  fallen_calls& fallen(kind what, std::string_view wanted, std::string_view why);
  const std::deque<fallen_calls>& fallen_so_far() const { return fallen_; }

 private:
  table calls_{};
  std::deque<fallen_calls> fallen_;  // added to with the lock of all counts, which others take to look at it
};

/// Prints to standard error what has been called, as WHERRY_STATS says. Makes no MPI call.
void report_usage(int rank);

}  // namespace wherry::collective
