/// @file
/// The few plain algorithms that public headers need. `<algorithm>` would add more to every program's compile time than
/// most of these headers do.
#pragma once

#include <cstddef>

namespace wherry::detail {

template <class T> constexpr const T& least(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& most(const T& a, const T& b) { return a < b ? b : a; }

/// The place of the first element that equals `wanted`; `all.size()` if there is none.
template <class Range, class T> constexpr std::size_t place_of(const Range& all, const T& wanted) {
  std::size_t place = 0;
  while (place < all.size() && !(all[place] == wanted)) ++place;
  return place;
}
template <class Range, class T> constexpr std::size_t times_in(const Range& all, const T& wanted) {
  std::size_t times = 0;
  for (const auto& each : all) times += each == wanted;
  return times;
}

}  // namespace wherry::detail
