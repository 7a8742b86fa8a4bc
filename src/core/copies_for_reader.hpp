// Copies into memory that one other core reads next and has read before, such as staging. The way depends on that
// core's distance.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>

#include "core/bulk_copy.hpp"
#include "core/reader_distance.hpp"

namespace wherry {

/// Writes messages for one reader. Each message stands between `begin` and `end` and may have any number of parts.
class copies_for_reader {
 public:
  copies_for_reader() = default;
  /// @param worth_it one of the constants of `reader_distance`
  explicit copies_for_reader(double worth_it) : distance_(worth_it) {}

  /// @param to the target of the message; the lines of a short message are fetched into this core's cache from now on
  void begin(std::byte* to, std::size_t bytes) {
    bytes_ = bytes;
    is_long_ = bytes >= least_bytes;
    turn_ = is_long_ ? distance_.next() : reader_distance::turn{};
    copied_ = 0;
    spent_ = {};
    const bool may_choose = bytes > bytes_gathered_first && may_be_passed_by();
    gathering_turn_ = may_choose ? gathering_.next() : reader_distance::turn{};
    if (gathering_turn_.timed) began_ = clock::now();
    if (!is_long_) ask_for_writing(to, bytes);
  }

  /// To be called in place of a message; see `reader_distance::next_stays`.
  bool next_stays() { return distance_.next_stays(); }

  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes == 0) return;  // otherwise a trial would count the time of looking at a clock
    if (turn_.timed) return copy_timed(to, from, bytes);
    write(to, from, bytes);
  }

  /// True if the reader may as well read the message where it is, or if it may be stored directly by other means: as
  /// far as is known the reader is near, and this is no trial. When a far reader copies lines, the next write to them
  /// costs more than writing the message.
  bool may_be_passed_by() const { return !is_past() && !turn_.tried; }
  /// The same for messages that are stored by other means only; short messages are better moved in bulk.
  bool may_be_stored_straight() const { return is_long_ && may_be_passed_by(); }
  /// Runs of this length and more are moved in bulk at any distance. glibc's memcpy moves blocks that do not fit the
  /// second cache of an AMD by stores from registers, and 1 MiB that another core reads then takes 2.7 times as long.
  static constexpr std::size_t long_run = 256 << 10;
  /// The same for messages that are gathered from many places. Short messages are better gathered in this core's own
  /// cache and then moved in bulk: those of 9 to 37 KB take 0.86 to 0.92 of the time, but those of 147 KB take 1.1 (an
  /// Intel Xeon of 2023). Of the longer ones, some are tried in either way: an EPYC whose cores are 0.26 µs apart
  /// writes through the caches as fast as past them, but with 147 KB gathered directly an exchange takes 1.5 times as
  /// long.
  bool may_be_gathered_straight() const {
    return bytes_ > bytes_gathered_first && may_be_passed_by() && gathering_turn_.how == gathered_straight;
  }
  /// True if rows may stay where they are. A rank for which direct gathering is slow should also not leave its cache
  /// lines to be fetched one by one.
  bool may_be_read_in_place() const {
    return may_be_passed_by() && !gathering_turn_.tried && gathering_turn_.how == gathered_straight;
  }

  /// Writes a whole message, from `begin` to `end`.
  void message(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes < least_bytes) {
      if (bytes > 0) std::memcpy(to, from, bytes);
      return;
    }
    begin(to, bytes);
    if (may_be_stored_straight() && bytes < long_run)
      std::memcpy(to, from, bytes);
    else
      copy(to, from, bytes);
    end();
  }

  /// From now on the reader may be told of the message, by a releasing store.
  void end() {
    if (gathering_turn_.timed) {
      wait_for_stores();
      const std::chrono::duration<double> spent = clock::now() - began_;
      gathering_.took(gathering_turn_.how, spent.count() / static_cast<double>(bytes_));
    }
    if (turn_.timed && copied_ > 0)
      distance_.took(turn_.how, spent_.count() / static_cast<double>(copied_));
    else if (is_past())
      end_of_copies_past_caches();
  }

 private:
  static constexpr std::size_t least_bytes = 2048;  // of a long message
  static constexpr std::size_t bytes_gathered_first = 64 << 10;
  // One of the two ways between which `gathering_` chooses; the other one goes through this core's cache.
  static constexpr auto gathered_straight = reader_distance::way::through_caches;
  static constexpr double gathered_first_is_worth_it = 1.3;
  using clock = std::chrono::steady_clock;

  bool is_past() const { return turn_.how == reader_distance::way::past_caches; }

  void write(std::byte* to, const std::byte* from, std::size_t bytes) const {
    is_past() ? copy_past_caches(to, from, bytes) : bulk_copy(to, from, bytes);
  }

  /// Waits until the stores are done, because most of the time passes after the copy's last instruction.
  void copy_timed(std::byte* to, const std::byte* from, std::size_t bytes) {
    const auto begin = clock::now();
    write(to, from, bytes);
    wait_for_stores();
    spent_ += clock::now() - begin;
    copied_ += bytes;
  }

  reader_distance distance_, gathering_{gathered_first_is_worth_it};
  reader_distance::turn turn_, gathering_turn_;
  clock::time_point began_{};
  bool is_long_ = false;
  std::size_t bytes_ = 0;
  std::size_t copied_ = 0;
  std::chrono::duration<double> spent_{};
};

}  // namespace wherry
