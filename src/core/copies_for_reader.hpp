// Copies into memory that one other core reads next and has read before, as staging is: as suits that core's distance.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>

#include "core/bulk_copy.hpp"
#include "core/reader_distance.hpp"

namespace wherry {

/// Writes messages for one reader, each between `begin` and `end`, in any number of parts.
class copies_for_reader {
 public:
  copies_for_reader() = default;
  /// @param worth_it one of the distance's constants
  explicit copies_for_reader(double worth_it) : distance_(worth_it) {}

  /// @param to where the message goes: of a short one, comes into this core's cache from now on
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

  /// Instead of a message, see above.
  bool next_stays() { return distance_.next_stays(); }

  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes == 0) return;  // else a trial would count the time that looking at a clock takes
    if (turn_.timed) return copy_timed(to, from, bytes);
    write(to, from, bytes);
  }

  /// Whether the reader may as well read it where it is, or it be stored by other means, straight from there: it is
  /// near, as far as is known, and this is no trial. A far reader's copies of lines cost who writes them next more than
  /// to write the message.
  bool may_be_passed_by() const { return !is_past() && !turn_.tried; }
  /// The same of what is stored by other means only: short messages are better moved in bulk.
  bool may_be_stored_straight() const { return is_long_ && may_be_passed_by(); }
  /// Longer runs are moved in bulk whatever the distance: glibc's memcpy moves what an AMD's second cache, of so much
  /// or more, does not hold by stores from registers, and 1 MiB that another core reads takes 2.7 times as long.
  static constexpr std::size_t long_run = 256 << 10;
  /// The same of what is gathered from many places: what is short is better gathered in this core's own cache and moved
  /// in bulk (messages of 9 to 37 KB take 0.86 to 0.92 of the time so, of 147 KB 1.1: an Intel Xeon of 2023). Of longer
  /// ones some are tried either way: an EPYC whose cores are far by a handshake of 0.26 us writes through the caches as
  /// fast as past them, but 147 KB gathered straight make an exchange take 1.5 times as long.
  bool may_be_gathered_straight() const {
    return bytes_ > bytes_gathered_first && may_be_passed_by() && gathering_turn_.how == gathered_straight;
  }
  /// Whether rows may stay where they are: who had better not gather straight had better not leave lines to be fetched
  /// one by one either.
  bool may_be_read_in_place() const {
    return may_be_passed_by() && !gathering_turn_.tried && gathering_turn_.how == gathered_straight;
  }

  /// All of a message, from `begin` to `end`.
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

  /// The reader may be told of it now, by a store that releases.
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
  // Of the two ways between which `gathering_` chooses; the other one is by way of this core's cache.
  static constexpr auto gathered_straight = reader_distance::way::through_caches;
  static constexpr double gathered_first_is_worth_it = 1.3;
  using clock = std::chrono::steady_clock;

  bool is_past() const { return turn_.how == reader_distance::way::past_caches; }

  void write(std::byte* to, const std::byte* from, std::size_t bytes) const {
    is_past() ? copy_past_caches(to, from, bytes) : bulk_copy(to, from, bytes);
  }

  /// Until the stores are done, for most of the time is spent behind the copy's last instruction.
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
