// Measures the distance of the core that reads what this core writes, at a place that it has read before: it is near if
// writing through the caches is faster, and far if stores past the caches are. Between cores that share a cache the
// former is up to twice as fast, between others the latter up to five times (64 KiB written and copied out by the other
// core, on an EPYC: near 9.2 and 8.9 µs, far 34 and 7). Ranks may move between cores, so each writer repeats the trial
// now and then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wherry {

/// Chooses the way in which the next message is written, from the times that earlier messages took. It reads no clock.
class reader_distance {
 public:
  /// A reader fetches data that was written past the caches from further away. On an EPYC, the times of a near reader
  /// and its writer together are the same in both ways, although the writer alone differs by 2.6. There the writer's
  /// times differ by 0.3 to 2.7 for near cores, and by 2.7 to 12 for far ones.
  static constexpr double where_writers_read = 3;
  /// If the writer can run one message ahead of the reader, the slower of the two sets the pace.
  static constexpr double where_writers_only_write = 2;
  /// If pieces are read as they come, the reader waits for the writer: 2.3 for near cores of an EPYC, 0.5 to 0.9 on a
  /// Sapphire Rapids, and the same for the time until the last piece has been read.
  static constexpr double where_pieces_overlap = 1;

  reader_distance() = default;
  explicit reader_distance(double worth_it) : worth_it_(worth_it) {}

  enum class way : std::uint8_t { through_caches, past_caches };
  struct turn {
    way how = way::through_caches;
    bool tried = false, timed = false;
  };

  /// The way of the next message. Each way is tried for some messages: first to find each buffer as the other way has
  /// left it, and then to measure.
  turn next() {
    const auto place = place_;
    place_ = place + 1 < period_ ? place + 1 : 0;
    if (place >= 2 * each) {
      if (place == 2 * each) decide();
      return {best_, false, false};
    }
    const auto tried = place < each ? way::through_caches : way::past_caches;
    return {tried, true, place % each >= untimed};
  }

  /// True if the next message may stay where it is, to be read there by a near reader. It then counts as a message.
  bool next_stays() {
    if (place_ < 2 * each || is_far_) return false;
    next();
    return !is_far_;
  }

  /// The time that a measured message took for each byte, in any unit.
  void took(way how, double each_byte) { (how == way::through_caches ? through_ : past_).add(each_byte); }

  way best() const { return best_; }

 private:
  static constexpr std::uint32_t shortest = 256, longest = 2048, untimed = 2, each = 6;
  /// The mean of all times but the largest, which may contain an interruption.
  struct mean {
    double sum = 0, largest = 0;
    int count = 0;
    void add(double one) {
      sum += one;
      largest = std::max(largest, one);
      ++count;
    }
    bool is_known() const { return count > 1; }
    double value() const { return (sum - largest) / (count - 1); }
  };

  /// A writer that finds the same answer again tries less often.
  void decide() {
    if (through_.is_known() && past_.is_known()) {
      const auto ratio = through_.value() / past_.value();
      is_far_ = ratio > where_writers_read;
      const auto found = ratio > worth_it_ ? way::past_caches : way::through_caches;
      period_ = std::exchange(best_, found) == found ? std::min(2 * period_, longest) : shortest;
    }
    through_ = past_ = {};
  }

  double worth_it_ = where_writers_read;
  std::uint32_t period_ = shortest, place_ = 0;  // messages from one trial to the next, and since the last trial
  way best_ = way::through_caches;
  bool is_far_ = false;
  mean through_, past_;
};

}  // namespace wherry
