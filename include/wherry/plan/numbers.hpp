/// @file
/// The table of the types of numbers. Reductions, conversions, collectives, devices and the names in array files read
/// it, so that a new type is one more row (and a line in collective/mpi_operations.hpp if MPI has a datatype for it).
/// Local, no MPI.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "wherry/core/float16.hpp"
#include "wherry/plan/element.hpp"

namespace wherry::detail {

/// Whether devices compute with the numbers of a row; `devices_apart`: by a kernel of their own, since they would take
/// registers from the others.
enum class numbers_on { hosts, devices, devices_apart };

/// A type of numbers, and its name in array files and in numpy.
template <class T, numbers_on Where = numbers_on::hosts> struct number_row {
  using type = T;
  static constexpr numbers_on where = Where;
  std::string_view name;
};

/// The table. An element is of the first row that has its kind and size, so `long long` is of the row of
/// `std::int64_t`.
inline constexpr std::tuple number_rows{number_row<std::int8_t, numbers_on::devices>{"int8"},
                                        number_row<std::int16_t, numbers_on::devices>{"int16"},
                                        number_row<std::int32_t, numbers_on::devices>{"int32"},
                                        number_row<std::int64_t, numbers_on::devices>{"int64"},
                                        number_row<std::uint8_t, numbers_on::devices>{"uint8"},
                                        number_row<std::uint16_t, numbers_on::devices>{"uint16"},
                                        number_row<std::uint32_t, numbers_on::devices>{"uint32"},
                                        number_row<std::uint64_t, numbers_on::devices>{"uint64"},
                                        number_row<float, numbers_on::devices>{"float32"},
                                        number_row<double, numbers_on::devices>{"float64"},
                                        number_row<long double>{"float128"},
                                        number_row<std::complex<float>>{"complex float32"},
                                        number_row<std::complex<double>>{"complex float64"},
                                        number_row<std::complex<long double>>{"complex float128"},
                                        number_row<bool>{"uint8"},
                                        number_row<float16, numbers_on::devices_apart>{"float16"},
                                        number_row<bfloat16, numbers_on::devices_apart>{"bfloat16"},
                                        number_row<char>{"int8"},
                                        number_row<char16_t>{"uint16"},
                                        number_row<char32_t>{"uint32"}};

/// The kind and size of each row.
inline constexpr auto number_kinds = std::apply(
    []<class... Row>(Row...) {
      return std::array{plans::element_type{kind_of<typename Row::type>(), sizeof(typename Row::type)}...};
    },
    number_rows);
inline constexpr auto number_homes =
    std::apply([](auto... row) { return std::array{numbers_on::hosts, row.where...}; }, number_rows);  // by place

/// The place of a type in the table, or `no_number`.
constexpr number_place place_of_number(const plans::element_type& type) {
  for (std::size_t row = 0; row < number_kinds.size(); ++row)
    if (number_kinds[row] == type) return static_cast<number_place>(row + 1);
  return no_number;
}

/// Calls `visit.template operator()<T>()` with the type at this place.
/// @return the result, or a value-initialised one for `no_number`
template <class Visit> constexpr auto visit_number(number_place place, Visit&& visit) {
  using result_type = decltype(visit.template operator()<int>());
  result_type result{};
  std::apply(
      [&]<class... Row>(Row...) {
        int at = 0;
        static_cast<void>(
            ((++at == place && (void(result = visit.template operator()<typename Row::type>()), true)) || ...));
      },
      number_rows);
  return result;
}
template <class Visit> constexpr auto visit_number(const plans::element_type& type, Visit&& visit) {
  return visit_number(place_of_number(type), visit);
}

}  // namespace wherry::detail
