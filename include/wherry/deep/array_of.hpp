/// @file
/// A pointer with its length, as the root of a deep copy.
#pragma once

#include <utility>

namespace wherry::deep {

/// See `array`. `Count` is `int&`, `const int&`, `int&&`, …
template <class T, class Count> struct array_of {
  T*& pointer;
  Count count;
};

template <class T> inline constexpr bool is_array_of = false;
template <class T, class Count> inline constexpr bool is_array_of<array_of<T, Count>> = true;

/// `n` objects at `p` as one root. On the reading side a count that can be assigned to takes the number that arrives;
/// with a constant another number is an error. What arrives is freed with `delete[]` or `deep::destroy(p, n)`.
template <class T, class Count> array_of<T, Count&&> array(T*& p, Count&& n) { return {p, std::forward<Count>(n)}; }

}  // namespace wherry::deep
