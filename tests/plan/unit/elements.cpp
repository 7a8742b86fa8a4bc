// Element types, what fits what, and the extremes of two numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include "wherry/plan/functions.hpp"
#include "wherry/plan/numbers.hpp"

#include "harness/harness.hpp"

using wherry::plans::element_kind;
using wherry::plans::element_of;

namespace {

struct mine {
  int a;
};
struct theirs {
  int a;
};
struct speed {
  float x, y;
};
enum class color : int { red };
// Two numbers that are elsewhere.
struct parted {
  using value_type = double;
  const double *x, *y;
  double real() const { return *x; }
  double imag() const { return *y; }
};

}  // namespace

template <> struct wherry::made_of<speed> {
  using type = float;
};

WHERRY_UNIT_TEST(element_types_have_a_kind_and_a_size) {
  const auto check = [](wherry::plans::element_type type, element_kind kind, std::uint32_t bytes) {
    CHECK(type.kind == kind);
    CHECK_EQUAL(type.bytes, bytes);
  };
  check(element_of<double>(), element_kind::floating, 8);
  check(element_of<const float>(), element_kind::floating, 4);
  check(element_of<long double>(), element_kind::floating, sizeof(long double));
  check(element_of<std::complex<float>>(), element_kind::complex, 8);
  check(element_of<bool>(), element_kind::boolean, 1);
  check(element_of<char>(), element_kind::character, 1);
  check(element_of<char32_t>(), element_kind::character, 4);
  // These two differ from `char` and `char32_t` in their sign, so they are of another kind.
  check(element_of<char8_t>(), element_kind::unsigned_integer, 1);
  check(element_of<wchar_t>(),
        std::is_signed_v<wchar_t> ? element_kind::signed_integer : element_kind::unsigned_integer, sizeof(wchar_t));
  check(element_of<signed char>(), element_kind::signed_integer, 1);
  check(element_of<unsigned char>(), element_kind::unsigned_integer, 1);
  check(element_of<std::byte>(), element_kind::bytes, 1);
  check(element_of<mine>(), element_kind::users, 4);
  check(element_of<color>(), element_kind::users, 4);
  check(element_of<parted>(), element_kind::users, sizeof(parted));
  CHECK(element_of<long>() == element_of<std::int64_t>());
  CHECK(element_of<long long>() == element_of<std::int64_t>());
  CHECK(element_of<std::array<double, 3>>() == element_of<double>());
  CHECK(element_of<double[2][3]>() == element_of<double>());
  CHECK(element_of<speed>() == element_of<float>());
  CHECK(element_of<std::array<speed, 2>>() == element_of<float>());
  CHECK(element_of<mine>() == element_of<mine>());
  CHECK(element_of<mine>() != element_of<theirs>());
}

namespace {

template <class T> void is_the_number(std::string_view name) {
  const auto type = element_of<T>();
  CHECK_EQUAL(std::string(wherry::detail::name_of_number(type)), std::string(name));
  const auto same = wherry::detail::visit_number(
      type, [type]<class Found>() { return sizeof(Found) == sizeof(T) && element_of<Found>() == type; });
  CHECK(same);
}
/// The extremes of 1 and the largest number and of it and -1, converted.
template <class T> void has_its_own_order() {
  for (const T other : {std::numeric_limits<T>::max(), static_cast<T>(-1)}) {
    T least{1}, most{1};
    wherry::reduction_of<T>(wherry::minimum{}).apply(&least, &other, 1);
    wherry::reduction_of<T>(wherry::maximum{}).apply(&most, &other, 1);
    CHECK(least == std::min(T{1}, other));
    CHECK(most == std::max(T{1}, other));
  }
}
template <class T> void is_no_number() {
  CHECK(wherry::detail::name_of_number(element_of<T>()).empty());
  CHECK(wherry::detail::place_of_number(element_of<T>()) == wherry::detail::no_number);
}

}  // namespace

WHERRY_UNIT_TEST(numbers_have_names) {
  is_the_number<signed char>("int8"), is_the_number<short>("int16"), is_the_number<int>("int32");
  is_the_number<long>("int64"), is_the_number<long long>("int64"), is_the_number<unsigned char>("uint8");
  is_the_number<unsigned short>("uint16"), is_the_number<unsigned>("uint32"), is_the_number<unsigned long>("uint64");
  is_the_number<float>("float32"), is_the_number<const double>("float64"), is_the_number<long double>("float128");
  is_the_number<wherry::float16>("float16"), is_the_number<wherry::bfloat16>("bfloat16");
  is_the_number<std::complex<float>>("complex float32"), is_the_number<std::complex<double>>("complex float64");
  is_the_number<std::complex<long double>>("complex float128");
  is_the_number<bool>("uint8"), is_the_number<char>("int8"), is_the_number<char16_t>("uint16");
  is_the_number<char32_t>("uint32");
  is_no_number<std::byte>(), is_no_number<color>(), is_no_number<mine>();
  CHECK(wherry::detail::place_of_number({element_kind::floating, 3}) == wherry::detail::no_number);
}

WHERRY_UNIT_TEST(only_raw_bytes_fit_other_elements) {
  CHECK(wherry::plans::fits(element_of<float>(), element_of<float>()));
  CHECK(!wherry::plans::fits(element_of<float>(), element_of<std::int32_t>()));
  CHECK(!wherry::plans::fits(element_of<std::uint32_t>(), element_of<std::int32_t>()));
  CHECK(!wherry::plans::fits(element_of<mine>(), element_of<theirs>()));
  CHECK(wherry::plans::fits(element_of<std::byte>(), element_of<mine>()));
  CHECK(wherry::plans::fits(element_of<mine>(), wherry::plans::element_type{}));
  CHECK_EQUAL(to_string(element_of<double>()), "8-byte floating-point");
  CHECK_EQUAL(to_string(element_of<unsigned short>()), "2-byte unsigned integer");
  CHECK_EQUAL(to_string(wherry::plans::element_type{}), "raw bytes");
  CHECK_EQUAL(identity(wherry::reduction_of<double>(std::plus<>{})), "'add' of 8-byte floating-point");
  CHECK_EQUAL(identity(wherry::convert<double, float>()),
              "'convert' of 8-byte floating-point from 4-byte floating-point");
}

namespace {

// In all orders in which three numbers can arrive: the same bits.
template <class T> void any_order() {
  using limits = std::numeric_limits<T>;
  const T numbers[] = {limits::quiet_NaN(),
                       -limits::quiet_NaN(),
                       static_cast<T>(std::nan("7")),
                       -limits::infinity(),
                       limits::infinity(),
                       T(0),
                       -T(0),
                       T(1),
                       T(-1)};
  const auto bits = [](T x) { return std::tuple(std::isnan(x), std::isnan(x) ? T(0) : x, std::signbit(x)); };
  for (const T a : numbers)
    for (const T b : numbers)
      for (const T c : numbers) {
        T order[] = {a, b, c};
        int place[] = {0, 1, 2};
        const auto least = bits(wherry::minimum{}(wherry::minimum{}(a, b), c));
        const auto most = bits(wherry::maximum{}(wherry::maximum{}(a, b), c));
        do {
          const T x = order[place[0]], y = order[place[1]], z = order[place[2]];
          CHECK(bits(wherry::minimum{}(wherry::minimum{}(x, y), z)) == least);
          CHECK(bits(wherry::maximum{}(wherry::maximum{}(x, y), z)) == most);
          CHECK(bits(wherry::minimum{}(x, wherry::minimum{}(y, z))) == least);
        } while (std::next_permutation(place, place + 3));
        const bool any_nan = std::isnan(a) || std::isnan(b) || std::isnan(c);
        CHECK_EQUAL(std::get<0>(least), any_nan);
        CHECK_EQUAL(std::get<0>(most), any_nan);
      }
}

}  // namespace

WHERRY_UNIT_TEST(extremes_do_not_depend_on_the_order) {
  any_order<float>();
  any_order<double>();
  any_order<long double>();
  CHECK(std::signbit(wherry::minimum{}(0.0, -0.0)));
  CHECK(!std::signbit(wherry::maximum{}(-0.0, 0.0)));
  CHECK_EQUAL(wherry::minimum{}(3, 2), 2);
  CHECK_EQUAL(wherry::maximum{}(3U, 2U), 3U);
}

WHERRY_UNIT_TEST(characters_have_the_order_of_their_own_type) {
  has_its_own_order<char>();
  has_its_own_order<char8_t>();
  has_its_own_order<char16_t>();
  has_its_own_order<char32_t>();
  has_its_own_order<wchar_t>();
}
