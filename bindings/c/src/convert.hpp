// From the structures of the C interface to the values of the C++ library. Everything that is wrong by itself is found
// here, and named as the C program knows it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/c/arrays.h"
#include "wherry/c/exchange.h"
#include "wherry/c/integers.h"
#include "wherry/c/options.h"
#include "wherry/c/reduction.h"
#include "wherry/core/error.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/halo/index_lists.hpp"
#include "wherry/plan/numbers.hpp"
#include "wherry/plan/reduction.hpp"
#include "wherry/transport/exchange.hpp"

#include "errors.hpp"

namespace wherry_c {

inline constexpr int most_halo_dimensions = 4;

/// @throws error(argument) with this text
template <class... Parts> [[noreturn]] void refuse(std::string_view where, const Parts&... parts) {
  throw wherry::error(wherry::error_kind::argument, where, wherry::detail::text(parts...));
}

/// A copy of a structure of options. A program that was compiled with a shorter one gets the defaults of what it does
/// not know.
/// @throws error(argument) if the structure's size was not set, or if it is longer than this library's and says
///         something in what is beyond
template <class Options> Options options_of(const Options* given, std::string_view where) {
  throw_refused(where);
  Options result{};
  result.struct_size = sizeof result;
  if (given == nullptr) return result;
  const std::size_t size = given->struct_size;
  if (size < sizeof(std::size_t) || size > 65536)
    refuse(where, "'options' has the struct_size ", size, ": it was not set by WHERRY_INIT");
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof result; i < size; ++i)
    if (bytes[i] != 0)
      refuse(where, "'options' was filled by a program that was compiled with a newer wherry.h, and this library does ",
             "not know what it says");
  std::memcpy(static_cast<void*>(&result), given, size < sizeof result ? size : sizeof result);
  result.struct_size = sizeof result;
  if constexpr (requires { result.reserved; })
    if (result.reserved != 0) refuse(where, "'options.reserved' is ", result.reserved, ", but means nothing yet");
  return result;
}

/// `count` values, which may be null if there are none.
/// @throws error(argument) for a negative count, or null where values are wanted
template <class T>
std::span<const T> list_of(const T* values, std::int64_t count, std::string_view where, std::string_view argument) {
  if (count < 0) refuse(where, "the number of '", argument, "' is ", count);
  if (count > 0 && values == nullptr) refuse(where, '\'', argument, "' is NULL, but there are ", count);
  return {values, static_cast<std::size_t>(count)};
}

/// The integers of a list. They are not copied.
/// @throws error(argument) for another type than integers of 4 or 8 bytes, and as `list_of`
wherry::detail::integer_span integers_of(const wherry_integers& list, std::string_view where,
                                         std::string_view argument);

/// The element type, and the size of an element in bytes.
struct element {
  wherry::plans::element_type type{};
  wherry::index_t bytes = 1;
};
/// @throws error(argument) for a type that does not exist, or a negative number of components
element element_of(wherry_type type, int components, std::string_view where, std::string_view argument);

/// The number of dimensions of a view, if the view makes sense.
/// @throws error(argument) for a number of dimensions that is not from 1 to `most`, an extent that is negative, an
///         unknown memory space, or null where there are elements
void check_view(const wherry_view& array, int most, std::string_view where, std::string_view argument);
wherry::memory_space space_of(const wherry_view& array, std::string_view where, std::string_view argument);

/// @throws error(argument) for an unknown operation, or a function without a name or a type
std::optional<wherry::reduction> reduction_of(const wherry_reduction& how, std::string_view where,
                                              std::string_view argument);
/// @throws error(argument) for a negative size or number of threads
wherry::carry_options carry_of(const wherry_carry_options& how, std::string_view where);

inline wherry_statistics statistics_of(const wherry::exchange_statistics& moved) {
  return {moved.exchanges,    moved.bytes_sent,      moved.bytes_received,
          moved.bytes_copied, moved.seconds_waiting, moved.seconds_copying};
}

template <int N> wherry::point<N> point_of(const std::int64_t* values) {
  wherry::point<N> result;
  for (std::size_t d = 0; d < N; ++d) result[d] = values[d];
  return result;
}
template <int N> wherry::box<N> box_of(const wherry_box& cells) {
  return {point_of<N>(cells.lower), point_of<N>(cells.upper)};
}
template <int N> wherry_box box_of(const wherry::box<N>& cells) {
  wherry_box result{};
  result.dimensions = N;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = cells.lower[d];
    result.upper[d] = cells.upper[d];
  }
  return result;
}

/// Calls `step.template operator()<N>()` for a number of dimensions that is known at run time only.
/// @throws error(argument) unless it is from 1 to `Most`
template <int Most, class Step> auto with_dimensions(int dimensions, std::string_view where, Step&& step) {
  if (dimensions == Most) return step.template operator()<Most>();
  if constexpr (Most > 1) {
    if (dimensions < Most) return with_dimensions<Most - 1>(dimensions, where, step);
  }
  refuse(where, "'dimensions' is ", dimensions, ", expected 1 to ", Most);
}

}  // namespace wherry_c
