#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

#include "wherry/motion/balance.hpp"

namespace wherry {
namespace {

/// The place on a curve: the bits of all coordinates interleaved, highest bits first, and for each bit the first
/// coordinate first.
template <int N> using curve_key = std::array<std::uint64_t, static_cast<std::size_t>(N)>;

template <int N> struct keyed_box {
  curve_key<N> key;
  int number;
};

/// Compares two places without interleaving the bits: the coordinate with the highest differing bit decides.
template <int N> bool before_on_curve(const keyed_box<N>& a, const keyed_box<N>& b) {
  std::size_t deciding = 0;
  std::uint64_t highest = 0;
  for (std::size_t d = 0; d < N; ++d) {
    const auto differing = a.key[d] ^ b.key[d];
    if (std::bit_width(differing) > std::bit_width(highest)) {
      highest = differing;
      deciding = d;
    }
  }
  return highest == 0 ? a.number < b.number : a.key[deciding] < b.key[deciding];
}

/// Turns coordinates of `bits` bits into the place on the Hilbert curve: undoes the turns of each level from the
/// coarsest on, then applies a Gray code (J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707,
/// 2004).
template <int N> void to_hilbert(curve_key<N>& x, int bits) {
  const auto top = std::uint64_t{1} << (bits - 1);
  for (auto level = top; level > 1; level >>= 1) {
    const auto finer = level - 1;
    for (auto& c : x) {
      if (c & level) {
        x[0] ^= finer;
      } else {
        const auto exchanged = (x[0] ^ c) & finer;
        x[0] ^= exchanged;
        c ^= exchanged;
      }
    }
  }
  for (std::size_t d = 1; d < N; ++d) x[d] ^= x[d - 1];
  std::uint64_t flips = 0;
  for (auto level = top; level > 1; level >>= 1)
    if (x[N - 1] & level) flips ^= level - 1;
  for (auto& c : x) c ^= flips;
}

/// The centres of the boxes, doubled to avoid halves and counted from the smallest one. The last dimension decides
/// first.
template <int N> std::vector<keyed_box<N>> centres(std::span<const box<N>> boxes) {
  point<N> smallest = filled<N>(INT64_MAX);
  for (const auto& b : boxes)
    for (std::size_t d = 0; d < N; ++d) smallest[d] = std::min(smallest[d], b.lower[d] + b.upper[d]);
  std::vector<keyed_box<N>> result(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    result[i].number = static_cast<int>(i);
    for (std::size_t d = 0; d < N; ++d)
      result[i].key[N - 1 - d] = static_cast<std::uint64_t>(boxes[i].lower[d] + boxes[i].upper[d] - smallest[d]);
  }
  return result;
}

template <int N> std::vector<int> sorted_numbers(std::vector<keyed_box<N>> list) {
  std::sort(list.begin(), list.end(), before_on_curve<N>);
  std::vector<int> numbers;
  numbers.reserve(list.size());
  for (const auto& each : list) numbers.push_back(each.number);
  return numbers;
}

}  // namespace

template <int N> std::vector<int> detail::morton_order(std::span<const box<N>> boxes) {
  return sorted_numbers(centres(boxes));
}

template <int N> std::vector<int> detail::hilbert_order(std::span<const box<N>> boxes) {
  auto list = centres(boxes);
  std::uint64_t largest = 1;
  for (const auto& each : list) largest = std::max(largest, *std::max_element(each.key.begin(), each.key.end()));
  for (auto& each : list) to_hilbert<N>(each.key, static_cast<int>(std::bit_width(largest)));
  return sorted_numbers(std::move(list));
}

#define WHERRY_CURVES(N)                                                      \
  template std::vector<int> detail::morton_order<N>(std::span<const box<N>>); \
  template std::vector<int> detail::hilbert_order<N>(std::span<const box<N>>);
WHERRY_CURVES(1)
WHERRY_CURVES(2)
WHERRY_CURVES(3)
WHERRY_CURVES(4)
WHERRY_CURVES(5)
WHERRY_CURVES(6)
#undef WHERRY_CURVES

}  // namespace wherry
