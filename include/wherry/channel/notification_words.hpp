/// @file
/// The notifications of one rank, in memory that its node shares (GASPI 17.1, section 9.3; shared: paper 5, section 4).
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
  /// @param arrivals what has to be brought to the rank's memory before a notification is told of; null: nothing
  /// @param called what errors call their segment; outlives this
  notification_words(const communicator& comm, int rank, word* first, int count, segment_counts* counts = nullptr,
                     const staged_arrivals* arrivals = nullptr, std::string_view called = "segment")
      : comm_(&comm),
        rank_(rank),
        words_(first),
        count_(count),
        counts_(counts),
        arrivals_(arrivals),
        called_(called) {}

  int size() const { return count_; }

  /// The first of the notifications `first` to `first + count - 1` that is there; it stays until `reset`.
  /// @param seconds 0, or less, only looks; nothing came in that time: nullopt, and the call may be repeated
  /// @throws error(timeout) without a limit, after WHERRY_TIMEOUT; error(argument) for a time that is no number
  std::optional<int> wait_some(int first, int count, double seconds = no_limit) const {
    check(first, count);
    check(seconds);
    for (int id = first; id < first + count; ++id)
      if (notification_word::look(words_[id]) != 0) return told(id);
    return wait_longer(first, count, seconds);
  }
  /// The value, which stays; 0: there is none. For those who count instead of resetting.
  std::uint32_t value(int id) const {
    const auto there = notification_word::look(at(id));
    return there != 0 ? told(there) : 0;
  }
  /// The word itself, to be loaded with acquire order, for who polls it often. What it tells of is in memory that its
  /// writers do not reach by stores once `value` says so.
  const word& at(int id) const {
    check(id, 1);
    return words_[id];
  }
  /// Takes the notification away, whole: of several threads and ranks one gets the value, the others 0.
  std::uint32_t reset(int id) const {
    check(id, 1);
    const auto taken = notification_word::take(words_[id]);
    return taken != 0 ? told(taken) : 0;
  }
  /// Waits for one notification and takes it: its value, or nothing after `seconds`.
  std::optional<std::uint32_t> wait(int id, double seconds = no_limit) const {
    check(id, 1);
    check(seconds);
    if (notification_word::look(words_[id]) != 0)
      if (const auto value = reset(id)) return value;
    return wait_and_reset(id, seconds);
  }

 protected:
  void tells_of(const staged_arrivals* arrivals) { arrivals_ = arrivals; }

 private:
  void check(int first, int count) const {
    require_mpi(called_);
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
  segment_counts* counts_ = nullptr;
  const staged_arrivals* arrivals_ = nullptr;
  std::string_view called_ = "segment";
};

}  // namespace wherry
