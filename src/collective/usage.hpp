// Counts calls.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// Calls that MPI's own ran because the chosen implementation could not, for one reason.
struct fallen_calls {
  fallen_calls(kind k, std::string_view implementation, std::string_view reason)
      : what(k), wanted(implementation), why(reason) {}
  kind what;
  std::string_view wanted, why;
  std::atomic<std::uint64_t> calls{0};

  /// As `call_counts::count` does.
  void count() { calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

/// The calls of one communicator, by kind and place in the table of implementations. One thread at a time runs its
/// collectives, so counting needs no locked instruction, which would wait for earlier stores to leave the core.
class call_counts {
 public:
  static constexpr std::size_t most_implementations = 32;
  using table = std::array<std::array<std::atomic<std::uint64_t>, most_implementations>, kinds>;

  call_counts();
  call_counts(const call_counts&) = delete;
  call_counts& operator=(const call_counts&) = delete;
  /// The counts are added to those of the process.
  ~call_counts();

  void count(kind what, int implementation) {
    auto& one = calls_[static_cast<std::size_t>(what)][static_cast<std::size_t>(implementation)];
    one.store(one.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  const table& so_far() const { return calls_; }

  /// The counter for this reason, which lives as long as this object.
  /// @param wanted the chosen implementation
  /// @param why a text that is never freed
  fallen_calls& fallen(kind what, std::string_view wanted, std::string_view why);
  const std::deque<fallen_calls>& fallen_so_far() const { return fallen_; }

 private:
  table calls_{};
  std::deque<fallen_calls> fallen_;  // additions and readers on other threads take the lock of all counts
};

/// Prints the counts to standard error, as WHERRY_STATS asks. Makes no MPI call.
void report_usage(int rank);

}  // namespace wherry::collective
