// A list that grows without moving or copying its elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace wherry {

/// The list consists of pieces, each as long as all earlier ones together. References stay valid until `clear`.
template <class T> class stable_list {
 public:
  const T& push_back(const T& value) {
    if (pieces_.empty() || pieces_.back().size() == pieces_.back().capacity())
      pieces_.emplace_back().reserve(std::max(least, size_));
    ++size_;
    return pieces_.back().emplace_back(value);
  }

  /// Removes all elements, and keeps the memory of the longest piece.
  void clear() {
    if (pieces_.empty()) return;
    std::swap(pieces_.front(), pieces_.back());
    pieces_.resize(1);
    pieces_.front().clear();
    size_ = 0;
  }

 private:
  static constexpr std::size_t least = 32;
  std::vector<std::vector<T>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace wherry
