/// @file
/// Floating-point numbers of two bytes, the same with every compiler: `float16` (IEEE 754 binary16) and `bfloat16` (the
/// upper half of a float). They are elements of fields, arrays, index lists, collectives, deep copies and files.
///
///     wherry::field<wherry::float16, 3> u(grid.comm(), {nx, ny, nz}, 1);
///     u(0, 0, 0) = wherry::float16(0.1);       // rounds to the nearest number, ties to even
///     const float sum = u(0, 0, 0) + 2.0F;     // reading is exact: a float16 is a float
///
/// They compute in float and round once for each operation. Where the compiler has `_Float16` or `std::float16_t`, the
/// two convert to each other without a change of bits.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace wherry {

/// A number with `Exponent` bits of exponent and `Fraction` bits of fraction, as `float16` and `bfloat16` name them.
/// Local, no MPI.
template <int Exponent, int Fraction> class small_float {
  static_assert(Exponent + Fraction == 15, "a sign, an exponent and a fraction in 16 bits");

 public:
  small_float() = default;
  /// The nearest number, ties to even; too large ones become infinite. (A long double, and an integer beyond 2^53, is
  /// first rounded to a double.)
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr explicit small_float(T value) : bits_(rounded(static_cast<double>(value))) {}
  template <int E, int F>
    requires(E != Exponent)
  constexpr explicit small_float(small_float<E, F> other) : small_float(float(other)) {}
  static constexpr small_float of_bits(std::uint16_t bits) {
    small_float result(0);
    result.bits_ = bits;
    return result;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  /// The same number; a NaN stays a NaN.
  constexpr operator float() const {
    const std::uint32_t sign = std::uint32_t{bits_} >> 15 << 31, exponent = bits_ >> Fraction & exponents,
                        fraction = bits_ & fractions;
    if (exponent == exponents) return std::bit_cast<float>(sign | 0x7f800000U | fraction << (23 - Fraction));
    if (Exponent == 8) return std::bit_cast<float>(std::uint32_t{bits_} << 16);  // subnormal numbers, too
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 127 - bias) << 23 | fraction << (23 - Fraction));
    const float size = static_cast<float>(fraction) * least_fraction;
    return sign != 0 ? -size : size;
  }
#if defined(__FLT16_MAX__) && (defined(__clang__) || __GNUC__ >= 13)
  // NOLINTBEGIN: the names of the compiler
  __extension__ constexpr explicit small_float(_Float16 value)
    requires(Exponent == 5)
      : bits_(std::bit_cast<std::uint16_t>(value)) {}
  __extension__ constexpr explicit operator _Float16() const
    requires(Exponent == 5)
  {
    return std::bit_cast<_Float16>(bits_);
  }
  // NOLINTEND
#endif

  constexpr small_float operator-() const { return of_bits(bits_ ^ 0x8000U); }
  friend constexpr small_float operator+(small_float a, small_float b) { return small_float(float(a) + float(b)); }
  friend constexpr small_float operator-(small_float a, small_float b) { return small_float(float(a) - float(b)); }
  friend constexpr small_float operator*(small_float a, small_float b) { return small_float(float(a) * float(b)); }
  friend constexpr small_float operator/(small_float a, small_float b) { return small_float(float(a) / float(b)); }
  constexpr small_float& operator+=(small_float b) { return *this = *this + b; }
  constexpr small_float& operator-=(small_float b) { return *this = *this - b; }
  constexpr small_float& operator*=(small_float b) { return *this = *this * b; }
  constexpr small_float& operator/=(small_float b) { return *this = *this / b; }

 private:
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr std::uint32_t exponents = (1U << Exponent) - 1, fractions = (1U << Fraction) - 1;
  static constexpr float least_fraction = 0x1p-24F;  // of float16: 2 to the power 1 - bias - Fraction

  static constexpr std::uint16_t rounded(double value) {
    constexpr std::uint64_t infinity = std::uint64_t{exponents} << Fraction, quiet = std::uint64_t{1} << (Fraction - 1);
    const auto all = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t sign = all >> 63 << 15, fraction = all & ((std::uint64_t{1} << 52) - 1);
    const int exponent = static_cast<int>(all >> 52 & 0x7ff), target = exponent - 1023 + bias;
    std::uint64_t size = 0;
    if (exponent == 0x7ff) {
      size = fraction != 0 ? infinity | quiet : infinity;
    } else if (const int dropped = 52 - Fraction + (target > 0 ? 0 : 1 - target); exponent > 0 && dropped < 54) {
      const std::uint64_t significand = fraction | std::uint64_t{1} << 52, half = std::uint64_t{1} << (dropped - 1),
                          rest = significand & (2 * half - 1);
      size = significand >> dropped;
      if (rest > half || (rest == half && (size & 1) != 0)) ++size;  // a carry goes on to the exponent
      if (target > 0) size += static_cast<std::uint64_t>(target - 1) << Fraction;
      if (size > infinity) size = infinity;
    }
    return static_cast<std::uint16_t>(sign | size);
  }

  std::uint16_t bits_;
};

using float16 = small_float<5, 10>;  ///< IEEE 754 binary16: 11 bits of precision, up to 65504
using bfloat16 = small_float<8, 7>;  ///< 8 bits of precision, with the range of a float

namespace detail {

template <class T> inline constexpr bool is_small_float = false;
template <int Exponent, int Fraction> inline constexpr bool is_small_float<small_float<Exponent, Fraction>> = true;
/// True for `bfloat16` and for the compiler's own type of that format, which has as many bytes as a `float16`.
template <class T> inline constexpr bool is_brain_float = std::is_same_v<T, bfloat16>;
#if defined(__STDCPP_BFLOAT16_T__)
template <> inline constexpr bool is_brain_float<decltype(0.0bf16)> = true;
#endif

}  // namespace detail

}  // namespace wherry

template <int Exponent, int Fraction> class std::numeric_limits<wherry::small_float<Exponent, Fraction>> {
  using number = wherry::small_float<Exponent, Fraction>;
  static constexpr unsigned infinite = ((1U << Exponent) - 1) << Fraction;
  static constexpr number of(unsigned bits) { return number::of_bits(static_cast<std::uint16_t>(bits)); }

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = Exponent == 5, is_bounded = true;
  static constexpr int radix = 2, digits = Fraction + 1, digits10 = Fraction * 301 / 1000;
  static constexpr int max_exponent = 1 << (Exponent - 1), min_exponent = 3 - max_exponent;
  static constexpr number min() { return of(1U << Fraction); }
  static constexpr number max() { return of(infinite - 1); }
  static constexpr number lowest() { return of(0x8000U | (infinite - 1)); }
  static constexpr number denorm_min() { return of(1); }
  static constexpr number epsilon() { return number(1.0 / (1 << Fraction)); }
  static constexpr number infinity() { return of(infinite); }
  static constexpr number quiet_NaN() { return of(infinite | 1U << (Fraction - 1)); }
};
