// Sets of places in a file, such as its existing pages. No MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>

namespace wherry {

/// A set of places, stored as ranges that do not touch each other.
class page_ranges {
 public:
  bool hold(std::size_t first, std::size_t last) const {
    const auto after = ranges_.upper_bound(first);
    return first >= last || (after != ranges_.begin() && std::prev(after)->second >= last);
  }

  /// Calls `visit(first, last)` for each part of the set between `first` and `last`, in ascending order.
  template <class Visit> void for_each_in(std::size_t first, std::size_t last, Visit&& visit) const {
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin()) --at;
    for (; at != ranges_.end() && at->first < last; ++at)
      if (at->second > first) visit(std::max(first, at->first), std::min(last, at->second));
  }

  bool empty() const { return ranges_.empty(); }
  /// The beginning and the end of the highest range.
  std::pair<std::size_t, std::size_t> back() const { return *std::prev(ranges_.end()); }
  /// The number of places in the set.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [first, last] : ranges_) sum += last - first;
    return sum;
  }

  void add(std::size_t first, std::size_t last) {
    if (first >= last) return;
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second >= first) --at;
    for (; at != ranges_.end() && at->first <= last; at = ranges_.erase(at)) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
    }
    ranges_[first] = last;
  }

  void remove(std::size_t first, std::size_t last) {
    if (first >= last) return;
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second > first) --at;
    while (at != ranges_.end() && at->first < last) {
      const auto [begin, end] = *at;
      at = ranges_.erase(at);
      if (begin < first) ranges_[begin] = first;
      if (end > last) ranges_[last] = end;
    }
  }

 private:
  std::map<std::size_t, std::size_t> ranges_;  // beginning → end of each range
};

}  // namespace wherry
