/// @file
/// Arithmetic on sizes that users give. A result that does not fit its type is an error that names the operands; it
/// never wraps around.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace wherry::detail {

/// The context of some computations, for the text of their errors: the public call, the computed quantity, and the
/// calling rank or -1.
///     constexpr checked cells{"field", "number of cells"};
///     count = cells.product(count, extent);
/// If a result does not fit, every function throws error(argument), which names `where`, `what` and the operands.
struct checked {
  std::string_view where, what;
  int rank = -1;

  template <std::integral T> constexpr T sum(T a, T b) const {
    T result{};
    if (__builtin_add_overflow(a, b, &result)) overflow(a, " + ", b);
    return result;
  }
  template <std::integral T> constexpr T difference(T a, T b) const {
    T result{};
    if (__builtin_sub_overflow(a, b, &result)) overflow(a, " - ", b);
    return result;
  }
  template <std::integral T> constexpr T product(T a, T b) const {
    T result{};
    if (__builtin_mul_overflow(a, b, &result)) overflow(a, " × ", b);
    return result;
  }
  /// `value` as a `To`.
  template <std::integral To, std::integral From> constexpr To cast(From value) const {
    if (!std::in_range<To>(value)) too_large_for(value, std::numeric_limits<To>::max());
    return static_cast<To>(value);
  }
  /// `value` rounded up to a multiple of `unit`, which must be positive.
  template <std::integral T> constexpr T rounded_up(T value, T unit) const {
    return sum<T>(value, unit - 1) / unit * unit;
  }

 private:
  template <std::integral T> [[noreturn]] void overflow(T a, const char* sign, T b) const {
    if constexpr (std::signed_integral<T>)
      report(std::int64_t{a}, sign, std::int64_t{b});
    else
      report(std::uint64_t{a}, sign, std::uint64_t{b});
  }
  template <std::integral From, std::integral Most> [[noreturn]] void too_large_for(From value, Most most) const {
    if constexpr (std::signed_integral<From>)
      report(std::int64_t{value}, " beyond ", static_cast<std::int64_t>(most));
    else
      report(std::uint64_t{value}, " beyond ", static_cast<std::uint64_t>(most));
  }
  [[noreturn]] void report(std::int64_t a, std::string_view sign, std::int64_t b) const;
  [[noreturn]] void report(std::uint64_t a, std::string_view sign, std::uint64_t b) const;
};

}  // namespace wherry::detail
