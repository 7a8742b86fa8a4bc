// Every operation on every type of number, worked out the slow way: whole numbers in 128 bits, bits one by one. It is
// the oracle of all that reduces.
#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "wherry/core/float16.hpp"

namespace wherry_test {

enum class operation { sum, product, minimum, maximum, bits_and, bits_or, bits_xor, all_true, any_true, one_true };

inline constexpr std::array every_operation{
    operation::sum,     operation::product,  operation::minimum,  operation::maximum,  operation::bits_and,
    operation::bits_or, operation::bits_xor, operation::all_true, operation::any_true, operation::one_true};

constexpr std::string_view name_of(operation what) {
  constexpr std::array<std::string_view, 10> names{"sum",        "product", "minimum",     "maximum",    "and of bits",
                                                   "or of bits", "xor",     "logical and", "logical or", "logical xor"};
  return names[static_cast<std::size_t>(what)];
}

constexpr bool is_bitwise(operation what) { return what >= operation::bits_and && what <= operation::bits_xor; }
constexpr bool is_logical(operation what) { return what >= operation::all_true; }
constexpr bool is_extreme(operation what) { return what == operation::minimum || what == operation::maximum; }

template <class T> inline constexpr bool is_complex_number = false;
template <class T> inline constexpr bool is_complex_number<std::complex<T>> = true;

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, wherry::float16> || std::is_same_v<T, wherry::bfloat16>;

// Is the operation defined for numbers of this type, by MPI and by us?
template <class T> constexpr bool has(operation what) {
  if (std::is_same_v<T, bool>) return is_logical(what);
  if (is_complex_number<T>) return what == operation::sum || what == operation::product;
  return std::is_integral_v<T> || !(is_bitwise(what) || is_logical(what));
}

// The rank's contribution to the element: values of which no two operations make the same. Sums and products of
// floating-point numbers are of small whole ones, and so exact in any order.
template <class T> T number_for(operation what, std::uint64_t random, std::size_t element) {
  if constexpr (is_complex_number<T>) {
    using part = typename T::value_type;
    return {static_cast<part>(static_cast<int>(random % 5) - 2),
            static_cast<part>(static_cast<int>(random / 5 % 5) - 2)};
  } else if constexpr (is_small_float<T>) {
    if (is_extreme(what)) return T(static_cast<int>(random % 127) - 63 + 0.25);
    return T(((random >> 8) % 2 == 0 ? 1 : -1) * (random % 2 == 0 ? 1 : 2));  // products of eight are exact, too
  } else if constexpr (std::is_floating_point_v<T>) {
    if (is_extreme(what)) return static_cast<T>(static_cast<int>(random % 8001) - 4000) + T(0.25);
    const int small = static_cast<int>(random % 3) + 1;
    return static_cast<T>((random >> 8) % 2 == 0 ? small : -small);
  } else if (is_logical(what)) {
    // Of three elements one has no zeros, one nothing else.
    const std::uint64_t value = element % 3 == 0 ? 1 + random % 2 : element % 3 == 1 ? 0 : random % 3;
    return static_cast<T>(std::is_same_v<T, bool> ? value != 0 : value);
  } else if (is_bitwise(what)) {
    // Of three elements one has mostly ones, one mostly zeros.
    const std::uint64_t other = random * 0x9e3779b97f4a7c15u;
    return static_cast<T>(element % 3 == 0 ? random | other : element % 3 == 1 ? random & other : random);
  } else {
    return static_cast<T>(what == operation::product ? random | 1 : random);  // a product of even numbers is soon 0
  }
}

// a (op) b.
template <class T> T worked_out(operation what, T a, T b) {
  if constexpr (is_complex_number<T>) {
    if (what == operation::sum) return {a.real() + b.real(), a.imag() + b.imag()};
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else if constexpr (is_small_float<T>) {
    return T(worked_out<double>(what, float(a), float(b)));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (what == operation::sum) return a + b;
    if (what == operation::product) return a * b;
    const bool b_is_less = b < a;
    return b_is_less == (what == operation::minimum) ? b : a;
  } else {
    __extension__ using wide = __int128;
    __extension__ using wide_bits = unsigned __int128;
    const wide x = a, y = b;
    if (what == operation::sum) return static_cast<T>(static_cast<wide_bits>(x) + static_cast<wide_bits>(y));
    if (what == operation::product) return static_cast<T>(static_cast<wide_bits>(x) * static_cast<wide_bits>(y));
    if (is_extreme(what)) return (y - x < 0) == (what == operation::minimum) ? b : a;
    if (is_logical(what)) {
      const int true_ones = (x == 0 ? 0 : 1) + (y == 0 ? 0 : 1);
      return static_cast<T>(what == operation::all_true   ? true_ones == 2
                            : what == operation::any_true ? true_ones > 0
                                                          : true_ones == 1);
    }
    wide_bits made = 0;
    for (std::size_t bit = 0; bit < 8 * sizeof(T); ++bit) {
      const auto ones = (static_cast<wide_bits>(x) >> bit & 1) + (static_cast<wide_bits>(y) >> bit & 1);
      const bool is_set = what == operation::bits_and ? ones == 2 : what == operation::bits_or ? ones > 0 : ones == 1;
      if (is_set) made |= wide_bits{1} << bit;
    }
    return static_cast<T>(made);
  }
}

}  // namespace wherry_test
