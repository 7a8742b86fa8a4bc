// Every operation that is known, on every type of numbers, against plain C++; and functions of the user's.
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/plan/reduction.hpp"

#include "harness/harness.hpp"

using wherry::reduction;
using wherry::plans::element_of;

namespace {

template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<std::complex<T>> = true;

template <class T> std::vector<T> numbers() {
  if constexpr (std::is_same_v<T, bool>)
    return {false, true, true, false, true};
  else if constexpr (is_complex<T>)
    return {T(1, 2), T(-3, 0), T(0, 5), T(7, -1)};
  else
    return {T(1), T(0), T(3), T(100), T(7), static_cast<T>(T(0) - T(2)), T(65)};
}

/// Applies the operation to all pairs, once for a list and once for rows.
template <class T, class Oracle> void agrees(const reduction& how, const std::string& name, Oracle&& oracle) {
  CHECK_EQUAL(how.name(), name);
  const auto* const made = how.on(element_of<T>());
  CHECK(made != nullptr && made->name == name && made->element == sizeof(T) && made->type == element_of<T>());
  if (made == nullptr) return;
  for (const T a : numbers<T>())
    for (const T b : numbers<T>()) {
      T into[] = {a, b, a}, from[] = {b, a, b};
      made->apply(into, from, 3);
      const T expected = static_cast<T>(oracle(a, b)), other = static_cast<T>(oracle(b, a));
      CHECK(into[0] == expected && into[1] == other && into[2] == expected);
      T rows[] = {a, b, a, b};
      made->apply_rows(rows, 2 * sizeof(T), from, 1, 2);
      CHECK(rows[0] == expected && rows[1] == b && rows[2] == static_cast<T>(oracle(a, a)) && rows[3] == b);
    }
}

template <class Operation> void has_no_meaning(const wherry::plans::element_type& type, Operation how) {
  CHECK(reduction(how).on(type) == nullptr);
}

/// Sums and products of integers modulo a power of two, which is how MPI computes them.
template <class T, class Operation> auto modulo(Operation operation) {
  return [operation](T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(operation(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    else
      return operation(a, b);
  };
}

template <class T> void every_operation() {
  agrees<T>(std::plus<>{}, "add", modulo<T>(std::plus<>{}));
  agrees<T>(std::multiplies<>{}, "multiply", modulo<T>(std::multiplies<>{}));
  const auto type = element_of<T>();
  if constexpr (is_complex<T>) {
    has_no_meaning(type, wherry::minimum{});
    has_no_meaning(type, wherry::maximum{});
  } else {
    agrees<T>(wherry::minimum{}, "min", [](T a, T b) { return b < a ? b : a; });
    agrees<T>(wherry::maximum{}, "max", [](T a, T b) { return a < b ? b : a; });
  }
  if constexpr (std::is_integral_v<T>) {
    agrees<T>(std::bit_and<>{}, "bit_and", [](T a, T b) { return a & b; });
    agrees<T>(std::bit_or<>{}, "bit_or", [](T a, T b) { return a | b; });
    agrees<T>(std::bit_xor<>{}, "bit_xor", [](T a, T b) { return a ^ b; });
    agrees<T>(std::logical_and<>{}, "logical_and", [](T a, T b) { return a != T(0) && b != T(0); });
    agrees<T>(std::logical_or<>{}, "logical_or", [](T a, T b) { return a != T(0) || b != T(0); });
  } else {
    has_no_meaning(type, std::bit_and<>{});
    has_no_meaning(type, std::bit_xor<>{});
    has_no_meaning(type, std::logical_or<>{});
  }
}

double halves(double there, double arrived) { return there / 2 + arrived / 2; }
struct point_of_mesh {
  double x, y;
};

}  // namespace

WHERRY_UNIT_TEST(every_operation_on_every_number) {
  every_operation<std::int8_t>(), every_operation<std::int16_t>(), every_operation<std::int32_t>();
  every_operation<std::int64_t>(), every_operation<std::uint8_t>(), every_operation<std::uint16_t>();
  every_operation<std::uint32_t>(), every_operation<std::uint64_t>(), every_operation<char>();
  every_operation<char16_t>(), every_operation<char32_t>(), every_operation<long>(), every_operation<long long>();
  every_operation<float>(), every_operation<double>(), every_operation<long double>();
  every_operation<wherry::float16>(), every_operation<wherry::bfloat16>();
  every_operation<std::complex<float>>(), every_operation<std::complex<double>>();
  every_operation<std::complex<long double>>();
  const auto type = element_of<bool>();
  agrees<bool>(std::logical_or<>{}, "logical_or", std::logical_or<>{});
  agrees<bool>(std::bit_and<>{}, "bit_and", std::bit_and<>{});
  CHECK(reduction(wherry::maximum{}).on(type) != nullptr);
}

namespace {

/// One quiet NaN, whichever side has one, and -0 below +0, as of floats.
template <class T> void keeps_nans_and_zeros() {
  using of = std::numeric_limits<T>;
  const T nan = -of::quiet_NaN(), one(1), zero(0.0), below(-0.0);
  const auto *const least = reduction(wherry::minimum{}).on(element_of<T>()), *const most = reduction(wherry::maximum{})
                                                                                                .on(element_of<T>());
  const auto combined = [](const auto* how, T into, T from) {
    how->apply(&into, &from, 1);
    return into.bits();
  };
  for (const auto* how : {least, most}) {
    CHECK_EQUAL(combined(how, nan, one), of::quiet_NaN().bits());
    CHECK_EQUAL(combined(how, one, nan), of::quiet_NaN().bits());
  }
  CHECK_EQUAL(combined(least, zero, below), below.bits());
  CHECK_EQUAL(combined(least, below, zero), below.bits());
  CHECK_EQUAL(combined(most, zero, below), zero.bits());
  CHECK_EQUAL(combined(most, below, zero), zero.bits());
}

}  // namespace

WHERRY_UNIT_TEST(nans_and_zeros_of_two_bytes) {
  keeps_nans_and_zeros<wherry::float16>();
  keeps_nans_and_zeros<wherry::bfloat16>();
  CHECK(element_of<wherry::float16>() != element_of<wherry::bfloat16>());
#if defined(__STDCPP_FLOAT16_T__) && defined(__STDCPP_BFLOAT16_T__)
  static_assert(sizeof(0.0f16) == 2 && sizeof(0.0bf16) == 2);
  CHECK(element_of<decltype(0.0f16)>() == element_of<wherry::float16>());
  CHECK(element_of<decltype(0.0bf16)>() == element_of<wherry::bfloat16>());
#endif
}

WHERRY_UNIT_TEST(bytes_and_users_types_have_no_operation_that_is_known) {
  has_no_meaning(element_of<std::byte>(), std::plus<>{});
  has_no_meaning(element_of<point_of_mesh>(), wherry::maximum{});
  CHECK_THROWS_WITH(wherry::reduction_of<point_of_mesh>(std::plus<>{}),
                    "'add' has no meaning for elements that are 16-byte user's type");
}

WHERRY_UNIT_TEST(functions_of_two_elements) {
  const reduction lambda = [](double there, double arrived) { return there - 2 * arrived; };
  const auto* const made = lambda.on(element_of<double>());
  CHECK(made != nullptr && made->type == element_of<double>());
  double x[] = {10, 20};
  const double y[] = {1, 2};
  made->apply(x, y, 2);
  CHECK(x[0] == 8 && x[1] == 16);
  // One function object has one name, on every rank; another has another one.
  const auto other = [](double there, double arrived) { return there + 2 * arrived; };
  CHECK_EQUAL(reduction(other).name(), reduction(other).name());
  CHECK(reduction(other).name() != lambda.name());
  // A pointer does not say which function it points to.
  static_assert(!std::is_constructible_v<reduction, double (*)(double, double)>);
  static_assert(!std::is_constructible_v<reduction, std::function<double(double, double)>>);
  const reduction by_pointer = wherry::make_reduction<double>("halves", halves);
  by_pointer.on(element_of<double>())->apply(x, y, 2);
  CHECK(x[0] == 4.5 && x[1] == 9);
  int factor = 3;  // a state is copied
  const reduction with_state = [factor](const int& there, const int& arrived) { return there + factor * arrived; };
  int i = 1;
  const int j = 2;
  with_state.on(element_of<int>())->apply(&i, &j, 1);
  CHECK_EQUAL(i, 7);
}
