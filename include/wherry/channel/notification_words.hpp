/// @file
/// The notifications of one rank, in memory that its node shares (GASPI 17.1, section 9.3; shared on the node: GASPI in
/// Ludwig, section 4). Programs get one from `byte_segment::notifications_of`, or call these functions of a segment.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "wherry/channel/notification_word.hpp"
#include "wherry/channel/segment_counts.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry {

class staged_arrivals;

/// A wait with this value of `seconds` has no time limit of its own. After WHERRY_TIMEOUT it throws error(timeout).
inline constexpr double no_limit = std::numeric_limits<double>::infinity();

namespace channels {

/// Words of 4 bytes. Each holds the value of a notification, or 0. Every rank of the node that has this object may wait
/// for them, look at them and take them; if several threads or ranks take the same notification, only one of them gets
/// its value. All functions are local. The object must not outlive its segment.
class notification_words {
 public:
  using word = std::atomic<std::uint32_t>;
  notification_words() = default;
  /// @param rank the owner of the notifications, in `comm`
  /// @param counts collects the times of waits; null: they are not measured
  /// @param arrivals staged data that must be brought to the rank's memory before a notification is reported; null:
  ///   none
  /// @param called the name of the segment in errors; must outlive this object
  notification_words(const communicator& comm, int rank, word* first, int count,
                     detail::segment_counts* counts = nullptr, const staged_arrivals* arrivals = nullptr,
                     std::string_view called = "segment")
      : comm_(&comm),
        rank_(rank),
        words_(first),
        count_(count),
        counts_(counts),
        arrivals_(arrivals),
        called_(called) {}

  int size() const { return count_; }

  /// Waits for any of the notifications `first` to `first + count - 1` and returns the id of the first one that is
  /// there. The notification stays until `reset`.
  /// @param seconds 0 or less: the call only looks
  /// @return nothing if none came in that time; the call may be repeated
  /// @throws error(timeout) without a limit, after WHERRY_TIMEOUT; error(argument) for ids out of range, or for a time
  ///   that is not a number
  std::optional<int> wait_some(int first, int count, double seconds = no_limit) const {
    check(first, count);
    check(seconds);
    for (int id = first; id < first + count; ++id)
      if (detail::notification_word::look(words_[id]) != 0) return told(id);
    return wait_longer(first, count, seconds);
  }
  /// The value of a notification, which stays; 0 if there is none. For receivers that count instead of resetting.
  std::uint32_t value(int id) const {
    const auto there = detail::notification_word::look(at(id));
    return there != 0 ? told(there) : 0;
  }
  /// The word itself, for receivers that poll it often; load it with acquire order. If the writer reaches the data by
  /// other means than stores, the data is there only after `value` has returned a notification.
  const word& at(int id) const {
    check(id, 1);
    return words_[id];
  }
  /// Takes a notification and returns its value. Of several threads and ranks, one gets the value and the others get 0.
  std::uint32_t reset(int id) const {
    check(id, 1);
    const auto taken = detail::notification_word::take(words_[id]);
    return taken != 0 ? told(taken) : 0;
  }
  /// Waits for one notification and takes it. Returns its value, or nothing after `seconds`. @throws as `wait_some`
  std::optional<std::uint32_t> wait(int id, double seconds = no_limit) const {
    check(id, 1);
    check(seconds);
    if (detail::notification_word::look(words_[id]) != 0)
      if (const auto value = reset(id)) return value;
    return wait_and_reset(id, seconds);
  }

 protected:
  void tells_of(const staged_arrivals* arrivals) { arrivals_ = arrivals; }

 private:
  void check(int first, int count) const {
    detail::require_mpi(called_);
    if (first < 0 || count < 1 || count > count_ - first) throw_range(first, count);
  }
  void check(double seconds) const {
    if (seconds != seconds) throw_no_number();
  }
  template <class Answer> Answer told(Answer answer) const {
    if (arrivals_ != nullptr) settle();
    return answer;
  }
  void settle() const;
  [[noreturn]] void throw_range(int first, int count) const;
  void throw_no_number() const;
  std::optional<std::uint32_t> wait_and_reset(int id, double seconds) const;
  std::optional<int> wait_longer(int first, int count, double seconds) const;

  const communicator* comm_ = nullptr;
  int rank_ = 0;
  word* words_ = nullptr;
  int count_ = 0;
  detail::segment_counts* counts_ = nullptr;
  const staged_arrivals* arrivals_ = nullptr;
  std::string_view called_ = "segment";
};

}  // namespace channels

}  // namespace wherry
