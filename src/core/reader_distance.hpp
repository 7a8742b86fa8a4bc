// How far away the core is that reads what this one writes, and has read there before: near enough to write through the
// caches, or so far that stores go past them. Between cores that share a cache the first is up to twice as fast;
// between those that do not, the second is up to five times (64 KiB written and copied out by the other core, on an
// EPYC: near 9.2 and 8.9 µs, far 34 and 7). Ranks may move between cores, so each writer finds out now and then, by
// trying.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wherry {

/// Which way the next message is written, found from the times that messages took before. Free of clocks.
class reader_distance {
 public:
  /// What is written past the caches, a reader fetches from further away: near readers' time and their writers' are as
  /// long either way where the writers' alone differ by 2.6, on an EPYC. There near cores differ by 0.3 to 2.7, and far
  /// ones by 2.7 to 12.
  static constexpr double where_writers_read = 3;
  /// Where who only writes may be a message ahead of who only reads, the longer of the two times counts, not both.
  static constexpr double where_writers_only_write = 2;
  /// Where pieces are read as they come, writing is what is waited for: near cores of an EPYC 2.3, of a Sapphire Rapids
  /// 0.5 to 0.9, and so is the time until the last piece has been read.
  static constexpr double where_pieces_overlap = 1;

  reader_distance() = default;
  explicit reader_distance(double worth_it) : worth_it_(worth_it) {}

  enum class way : std::uint8_t { through_caches, past_caches };
  struct turn {
    way how = way::through_caches;
    bool tried = false, timed = false;
  };

  /// Of the next message. Either way is tried for some: those that find each buffer as the other way has left it, and
  /// those that are timed.
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

  /// Whether the next message may stay where it is, for a reader that is near to read there; then it counts as one.
  bool next_stays() {
    if (place_ < 2 * each || is_far_) return false;
    next();
    return !is_far_;
  }

  /// What a timed one took for each of its bytes, in any unit.
  void took(way how, double each_byte) { (how == way::through_caches ? through_ : past_).add(each_byte); }

  way best() const { return best_; }

 private:
  static constexpr std::uint32_t shortest = 256, longest = 2048, untimed = 2, each = 6;
  /// The mean of all but the largest, which may have been interrupted.
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

  /// Who finds the same again tries less often.
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
  std::uint32_t period_ = shortest, place_ = 0;  // messages from one trial to the next; since the last one began
  way best_ = way::through_caches;
  bool is_far_ = false;
  mean through_, past_;
};

}  // namespace wherry
