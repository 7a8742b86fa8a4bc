/// @file
/// The notifications of one rank, in memory that its node shares (GASPI 17.1, section 9.3; shared: paper 5, section 4).
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "wherry/channel/segment_counts.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry {

/// Seconds that a wait may take: as long as WHERRY_TIMEOUT says, which is an error then.
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Words of 4 bytes, each a value that somebody has notified of, or 0. Whoever of the node has them may wait for them,
/// look at them and take them: of several threads and ranks that do, one gets a value. Not to outlive their segment.
class notification_words {
 public:
  using word = std::atomic<std::uint32_t>;
  notification_words() = default;
  /// @param rank whose they are, in `comm`
  /// @param counts where waits are to be measured
  notification_words(const communicator& comm, int rank, word* first, int count, segment_counts* counts = nullptr)
      : comm_(&comm), rank_(rank), words_(first), count_(count), counts_(counts) {}

  int size() const { return count_; }

  /// The first of the notifications `first` to `first + count - 1` that is there; it stays until `reset`.
  /// @param seconds 0 only looks; nothing came in that time: nullopt, and the call may be repeated
  /// @throws error(timeout) without a limit, after WHERRY_TIMEOUT
  std::optional<int> wait_some(int first, int count, double seconds = no_limit) const {
    check(first, count);
    for (int id = first; id < first + count; ++id)
      if (words_[id].load(std::memory_order_acquire) != 0) return id;
    return wait_longer(first, count, seconds);
  }
  /// The value, which stays; 0: there is none. For those who count instead of resetting.
  std::uint32_t value(int id) const { return at(id).load(std::memory_order_acquire); }
  /// The word itself, to be loaded with acquire order, for who polls it often.
  const word& at(int id) const {
    check(id, 1);
    return words_[id];
  }
  /// Takes the notification away, whole: of several threads and ranks one gets the value, the others 0.
  std::uint32_t reset(int id) const {
    check(id, 1);
    return words_[id].exchange(0, std::memory_order_acq_rel);
  }
  /// Waits for one notification and takes it: its value, or nothing after `seconds`.
  std::optional<std::uint32_t> wait(int id, double seconds = no_limit) const {
    check(id, 1);
    if (words_[id].load(std::memory_order_acquire) != 0)
      if (const auto value = reset(id)) return value;
    return wait_and_reset(id, seconds);
  }

 private:
  void check(int first, int count) const {
    if (first < 0 || count < 1 || count > count_ - first) throw_range(first, count);
  }
  [[noreturn]] void throw_range(int first, int count) const;
  std::optional<std::uint32_t> wait_and_reset(int id, double seconds) const;
  std::optional<int> wait_longer(int first, int count, double seconds) const;

  const communicator* comm_ = nullptr;
  int rank_ = 0;
  word* words_ = nullptr;
  int count_ = 0;
  segment_counts* counts_ = nullptr;
};

}  // namespace wherry
