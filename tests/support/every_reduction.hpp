// Every operation of Wherry's on every type of number, as the oracle and as Wherry call it.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "wherry/plan/functions.hpp"

#include "support/every_operation.hpp"

namespace wherry_test {

// Calls `use` with the function object of an operation that Wherry knows.
template <class Use> auto with_function(operation what, Use&& use) {
  switch (what) {
    case operation::sum:
      return use(std::plus<>{});
    case operation::product:
      return use(std::multiplies<>{});
    case operation::minimum:
      return use(wherry::minimum{});
    case operation::maximum:
      return use(wherry::maximum{});
    case operation::bits_and:
      return use(std::bit_and<>{});
    case operation::bits_or:
      return use(std::bit_or<>{});
    case operation::bits_xor:
      return use(std::bit_xor<>{});
    case operation::all_true:
      return use(std::logical_and<>{});
    default:
      return use(std::logical_or<>{});
  }
}
inline bool is_known(operation what) { return what != operation::one_true; }

template <class T> wherry::plans::typed_reduction reduction_of(operation what) {
  return with_function(what, [](auto function) { return wherry::reduction_of<T>(function); });
}

template <class T> constexpr bool devices_know(operation what) {
  return !std::is_same_v<T, long double> && !(is_complex_number<T> && what == operation::product);
}

// Calls `visit.template operator()<T>(operation)` for all that Wherry's operations are defined for.
template <class... Types, class Visit> void for_types(Visit&& visit) {
  const auto of_one = [&]<class T>(const T&) {
    for (const auto what : every_operation)
      if (has<T>(what) && is_known(what)) visit.template operator()<T>(what);
  };
  (of_one(Types{}), ...);
}

template <class Visit> void for_every_type(Visit&& visit) {
  for_types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
            std::uint64_t, wherry::float16, wherry::bfloat16, float, double, long double, std::complex<float>,
            std::complex<double>>(visit);
}

}  // namespace wherry_test
