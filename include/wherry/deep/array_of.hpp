/// @file
/// `array(p, n)`: a pointer with its length, as the root of a deep copy.
///
///     int n = 3;
///     double* values = new double[3]{1, 2, 3};
///     wherry::deep::bcast(comm, wherry::deep::array(values, n), 0);  // n arrives, too
#pragma once

#include <utility>

namespace wherry::deep {

/// The result of `array`. `Count` is a reference: `int&`, `const int&`, `int&&`, …
template <class T, class Count> struct array_of {
  T*& pointer;
  Count count;
};

namespace detail {

template <class T> inline constexpr bool is_array_of = false;
template <class T, class Count> inline constexpr bool is_array_of<array_of<T, Count>> = true;

}  // namespace detail

/// Names the `n` objects at `p` as one root. On the reading side, a variable count is set to the number of objects that
/// arrive; if the count is a constant, any other number is an error. The array that arrives is freed with `delete[]` or
/// `deep::destroy(p, n)`.
template <class T, class Count> array_of<T, Count&&> array(T*& p, Count&& n) { return {p, std::forward<Count>(n)}; }

}  // namespace wherry::deep
