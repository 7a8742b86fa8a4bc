// Sorts long lists by an integer key. No MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry {

/// Sorts stably, in time that is linear in the length of the list for any order. A byte that all keys share costs only
/// one pass that looks at it.
/// @param key returns the key of an element, an unsigned number of 64 bits
template <class T, class Key> void radix_sort(std::vector<T>& list, Key key) {
  if (list.size() < 2) return;
  std::uint64_t differ = 0;
  const std::uint64_t first = key(list.front());
  for (const auto& one : list) differ |= key(one) ^ first;
  std::vector<T> sorted;
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xff) == 0) continue;
    std::array<std::size_t, 257> begin{};
    const auto digit = [&](const T& one) { return static_cast<std::size_t>(key(one) >> shift & 0xff); };
    for (const auto& one : list) ++begin[digit(one) + 1];
    for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
    if (sorted.empty()) sorted = list;
    for (const auto& one : list) sorted[begin[digit(one)]++] = one;
    list.swap(sorted);
  }
}

}  // namespace wherry
