// The free parts of a range of numbers: bytes of a segment, or its notifications.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace wherry::gpi2 {

class free_ranges {
 public:
  explicit free_ranges(std::uint64_t length) : length_(length) { give_back(0, length); }

  /// Takes `count` consecutive numbers and returns the first; nothing if there are not that many.
  std::optional<std::uint64_t> take(std::uint64_t count) {
    if (count == 0) return 0;
    for (auto range = free_.begin(); range != free_.end(); ++range) {
      const auto [first, length] = *range;
      if (length < count) continue;
      free_.erase(range);
      if (length > count) free_.emplace(first + count, length - count);
      return first;
    }
    return std::nullopt;
  }

  void give_back(std::uint64_t first, std::uint64_t count) {
    if (count == 0) return;
    const auto next = free_.lower_bound(first);
    auto end = first + count;
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == first) {
        first = before->first;
        free_.erase(before);
      }
    }
    if (next != free_.end() && next->first == end) {
      end += next->second;
      free_.erase(next);
    }
    free_.emplace(first, end - first);
  }

  bool has_all() const { return length_ == 0 || (free_.size() == 1 && free_.begin()->second == length_); }

 private:
  std::uint64_t length_;
  std::map<std::uint64_t, std::uint64_t> free_;  // first → how many; no two of them touch
};

}  // namespace wherry::gpi2
