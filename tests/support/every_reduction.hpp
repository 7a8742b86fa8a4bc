// Every operation of Wherry's on every type of number, as the oracle and as Wherry call it.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>

#include "wherry/plan/functions.hpp"

#include "support/every_operation.hpp"

namespace wherry_test {

template <class T> wherry::plans::typed_reduction reduction_of(operation what) {
  if constexpr (is_complex_number<T>)
    return wherry::reduction_of<T>(std::plus<>{});
  else
    return what == operation::sum       ? wherry::reduction_of<T>(std::plus<>{})
           : what == operation::minimum ? wherry::reduction_of<T>(wherry::minimum{})
                                        : wherry::reduction_of<T>(wherry::maximum{});
}

// Calls `visit.template operator()<T>(operation)` for all that Wherry's operations are defined for, and a device knows.
template <class... Types, class Visit> void for_types(Visit&& visit) {
  const auto of_one = [&]<class T>(const T&) {
    for (const auto what : {operation::sum, operation::minimum, operation::maximum})
      if (has<T>(what)) visit.template operator()<T>(what);
  };
  (of_one(Types{}), ...);
}

template <class Visit> void for_every_type(Visit&& visit) {
  for_types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
            std::uint64_t, float, double, std::complex<float>, std::complex<double>>(visit);
}

}  // namespace wherry_test
