// Numbers of two bytes against a table of all of them, each computed from its bits as the standard says.
#include "wherry/core/float16.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::bfloat16, wherry::float16;

namespace {

template <class Number> struct format;
template <> struct format<float16> {
  static constexpr int exponent = 5, fraction = 10;
};
template <> struct format<bfloat16> {
  static constexpr int exponent = 8, fraction = 7;
};

/// The number with these bits, without a sign; NaN and infinity as such.
template <class Number> double by_definition(unsigned bits) {
  constexpr int exponent = format<Number>::exponent, fraction = format<Number>::fraction;
  constexpr int all_ones = (1 << exponent) - 1, bias = all_ones / 2;
  const int e = static_cast<int>(bits >> fraction), f = static_cast<int>(bits & ((1U << fraction) - 1));
  if (e == all_ones) return f != 0 ? std::nan("") : std::numeric_limits<double>::infinity();
  const double significand = static_cast<double>(f) / (1 << fraction);
  return e == 0 ? std::ldexp(significand, 1 - bias) : std::ldexp(1 + significand, e - bias);
}

/// The finite numbers that are not negative, in ascending order: the place of a number is its bits.
template <class Number> std::vector<double> all_finite() {
  std::vector<double> all;
  for (unsigned bits = 0; std::isfinite(by_definition<Number>(bits)); ++bits)
    all.push_back(by_definition<Number>(bits));
  return all;
}

/// The bits of the nearest number, found among all.
template <class Number> unsigned nearest(const std::vector<double>& all, double value) {
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const double size = std::abs(value);
  const auto above = static_cast<unsigned>(std::lower_bound(all.begin(), all.end(), size) - all.begin());
  if (above < all.size() && all[above] == size) return sign | above;
  // Beyond the largest number, the next one would be as far above it as the one below it is below it.
  const double next = above < all.size() ? all[above] : 2 * all.back() - all[all.size() - 2], before = all[above - 1];
  const double up = next - size, down = size - before;
  const bool goes_up = up < down || (up == down && (above & 1) == 0);
  return sign | (goes_up ? above : above - 1);
}

template <class Number> void every_number() {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto number = Number::of_bits(static_cast<std::uint16_t>(bits));
    const double expected =
        (bits & 0x8000U) != 0 ? -by_definition<Number>(bits & 0x7fffU) : by_definition<Number>(bits);
    if (std::isnan(expected)) {
      if (!CHECK(std::isnan(static_cast<float>(number)) && std::isnan(static_cast<float>(Number(float(number))))))
        return;
      continue;
    }
    if (!CHECK_EQUAL(static_cast<double>(number), expected)) return;
    if (!CHECK_EQUAL(Number(expected).bits(), bits)) return;
    if (!CHECK_EQUAL((-number).bits(), bits ^ 0x8000U)) return;
  }
}

template <class Number> void is_rounded(const std::vector<double>& all, double value) {
  if (!CHECK_EQUAL(Number(value).bits(), nearest<Number>(all, value))) FAIL(std::to_string(value));
}

template <class Number> void rounding(random_numbers& random) {
  const auto all = all_finite<Number>();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const double middle = (all[i] + all[i + 1]) / 2;
    for (const double value : {middle, std::nextafter(middle, 0), std::nextafter(middle, 1e300)}) {
      is_rounded<Number>(all, value);
      is_rounded<Number>(all, -value);
    }
  }
  const double beyond = 2 * all.back() - all[all.size() - 2];
  is_rounded<Number>(all, (all.back() + beyond) / 2);
  is_rounded<Number>(all, std::nextafter((all.back() + beyond) / 2, 0));
  for (int i = 0; i < 20000; ++i)
    is_rounded<Number>(all, std::ldexp(1 + 1e-9 * random.between(0, 1'000'000'000), random.between(-170, 127)));
  CHECK_EQUAL(Number(1e300).bits(), std::numeric_limits<Number>::infinity().bits());
  CHECK_EQUAL(Number(std::numeric_limits<double>::denorm_min()).bits(), 0);
  CHECK_EQUAL(Number(-0.0).bits(), 0x8000);
  CHECK_EQUAL(Number(7).bits(), Number(7.0F).bits());
}

/// A sum of two in double is exact or rounds to the same number, so it is what one rounding gives.
template <class Number> void arithmetic(random_numbers& random) {
  const auto all = all_finite<Number>();
  const auto any = [&] {
    const auto bits = static_cast<std::uint16_t>(random.between(0, static_cast<int>(all.size()) - 1));
    return Number::of_bits(static_cast<std::uint16_t>(bits | (random.chance(50) ? 0x8000U : 0U)));
  };
  for (int i = 0; i < 20000; ++i) {
    const Number a = any(), b = any();
    const double x = a, y = b;
    if (!CHECK_EQUAL((a + b).bits(), Number(x + y).bits())) return;
    if (!CHECK_EQUAL((a - b).bits(), Number(x - y).bits())) return;
    if (!CHECK_EQUAL((a * b).bits(), Number(x * y).bits())) return;
    if (y != 0 && !CHECK_EQUAL((a / b).bits(), Number(x / y).bits())) return;
    if (!CHECK_EQUAL(a < b, x < y) || !CHECK_EQUAL(a == b, x == y)) return;
  }
}

template <class Number> void limits() {
  using of = std::numeric_limits<Number>;
  const auto all = all_finite<Number>();
  CHECK_EQUAL(double(of::max()), all.back());
  CHECK_EQUAL(double(of::lowest()), -all.back());
  CHECK_EQUAL(double(of::denorm_min()), all[1]);
  CHECK_EQUAL(double(of::min()), all[std::size_t{1} << format<Number>::fraction]);
  CHECK_EQUAL(double(of::epsilon()), std::ldexp(1, -format<Number>::fraction));
  CHECK_EQUAL(std::ldexp(0.5, of::min_exponent), double(of::min()));
  CHECK(std::ldexp(0.5, of::max_exponent) <= double(of::max()) && std::ldexp(1, of::max_exponent) > double(of::max()));
  CHECK(std::isnan(float(of::quiet_NaN())) && std::isinf(float(of::infinity())));
}

}  // namespace

static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<float16>);
static_assert(float16(1.5) + float16(2) == 3.5F && bfloat16(-1).bits() == 0xbf80);
static_assert(std::is_same_v<decltype(float16(1) + float16(1)), float16>);
static_assert(std::is_same_v<decltype(float16(1) + 1.0), double>);

WHERRY_UNIT_TEST(numbers_of_two_bytes) { every_number<float16>(), every_number<bfloat16>(); }
WHERRY_UNIT_TEST(numbers_of_two_bytes_are_rounded) {
  random_numbers random(test.seed);
  rounding<float16>(random), rounding<bfloat16>(random);
}
WHERRY_UNIT_TEST(arithmetic_of_two_bytes) {
  random_numbers random(test.seed);
  arithmetic<float16>(random), arithmetic<bfloat16>(random);
}
WHERRY_UNIT_TEST(limits_of_two_bytes) { limits<float16>(), limits<bfloat16>(); }

#if defined(__FLT16_MAX__) && (defined(__clang__) || __GNUC__ >= 13)
WHERRY_UNIT_TEST(the_compilers_float16) {
  for (unsigned bits = 0; bits < 0x7c00U; ++bits) {
    const auto ours = float16::of_bits(static_cast<std::uint16_t>(bits));
    const auto theirs = static_cast<_Float16>(ours);
    if (!CHECK(static_cast<float>(theirs) == float(ours) && float16(theirs).bits() == bits)) return;
  }
}
#endif
