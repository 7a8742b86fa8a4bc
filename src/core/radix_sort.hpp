// Many things in the order of a number. No MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry {

/// Stable; in time linear in the list, however it lies. Bytes that all keys have in common cost nothing but the look.
/// @param key of an element, 64 bits without a sign
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
