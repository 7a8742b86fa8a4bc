// From the boxes, points, domains and widths of the C interface to those of the C++ library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "wherry/c/boxes.h"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

#include "convert.hpp"
#include "errors.hpp"

namespace wherry_c {

inline constexpr int most_box_dimensions = wherry::detail::max_dimensions;
static_assert(most_box_dimensions == WHERRY_MAX_BOX_DIMENSIONS && most_box_dimensions < WHERRY_MAX_DIMENSIONS);

/// One of `T<1>` to `T<6>`, for a number of dimensions that is known at run time only.
template <template <int> class T> using in_any_dimensions = std::variant<T<1>, T<2>, T<3>, T<4>, T<5>, T<6>>;

/// The `T<N>` in it.
/// @throws error(argument) if it has another number of dimensions
template <int N, class Variant> auto& in_dimensions(Variant& some, std::string_view where, std::string_view argument) {
  if (auto* const found = std::get_if<static_cast<std::size_t>(N - 1)>(&some)) return *found;
  refuse(where, '\'', argument, "' has ", some.index() + 1, " dimensions, expected ", N);
}

/// Calls `step.template operator()<N>()` for the number of dimensions of an argument.
template <class Step>
auto with_dimensions_of(const wherry_box& cells, std::string_view where, std::string_view argument, Step&& step) {
  if (cells.dimensions < 1 || cells.dimensions > most_box_dimensions)
    refuse(where, '\'', argument, "' has ", cells.dimensions, " dimensions, expected 1 to ", most_box_dimensions);
  return with_dimensions<most_box_dimensions>(cells.dimensions, where, step);
}

template <int N> wherry::box<N> box_in(const wherry_box& cells, std::string_view where, std::string_view argument) {
  if (cells.dimensions != N) refuse(where, '\'', argument, "' has ", cells.dimensions, " dimensions, expected ", N);
  return box_of<N>(cells);
}
template <int N>
std::vector<wherry::box<N>> boxes_in(const wherry_box* boxes, int count, std::string_view where,
                                     std::string_view argument) {
  std::vector<wherry::box<N>> result;
  for (const auto& one : list_of(boxes, count, where, argument)) {
    if (one.dimensions != N)
      refuse(where, "box ", result.size(), " of '", argument, "' has ", one.dimensions, " dimensions, expected ", N);
    result.push_back(box_of<N>(one));
  }
  return result;
}
template <int N>
wherry::point<N> point_in(const std::int64_t* values, std::string_view where, std::string_view argument) {
  require_result(values, where, argument);
  return point_of<N>(values);
}
/// Numbers that divide: at least 1.
template <int N>
wherry::point<N> ratio_in(const std::int64_t* values, std::string_view where, std::string_view argument) {
  const auto result = point_in<N>(values, where, argument);
  for (const auto value : result)
    if (value < 1) refuse(where, '\'', argument, "' has the number ", value, ", expected 1 or more");
  return result;
}
/// Null stands for values in the cells.
template <int N> wherry::centring<N> centring_in(const int* on_planes) {
  wherry::centring<N> result;
  for (std::size_t d = 0; on_planes != nullptr && d < N; ++d) result.on_planes[d] = on_planes[d] != 0;
  return result;
}
/// Null stands for no widths.
template <int N> wherry::halo_widths<N> widths_in(const wherry_widths* widths) {
  if (widths == nullptr) return 0;
  return {point_of<N>(widths->minus), point_of<N>(widths->plus)};
}
/// Null stands for a domain that is periodic nowhere.
template <int N> wherry::domain<N> domain_in(const wherry_domain* space, std::string_view where) {
  wherry::domain<N> result;
  if (space == nullptr) return result;
  result.cells = box_in<N>(space->cells, where, "space");
  for (std::size_t d = 0; d < N; ++d) result.periodic[d] = space->periodic[d] != 0;
  return result;
}
template <int N> wherry_domain domain_of(const wherry::domain<N>& space) {
  wherry_domain result{};
  result.cells = box_of<N>(space.cells);
  for (std::size_t d = 0; d < N; ++d) result.periodic[d] = space.periodic[d];
  return result;
}

/// Gives the program a list: at most `capacity` values, and how many there are.
template <class Values, class T, class Convert>
void give_list(const Values& values, int capacity, T* result, int* count, std::string_view where,
               std::string_view argument, Convert&& convert) {
  require_result(count, where, "count");
  if (capacity < 0) refuse(where, "'capacity' is ", capacity);
  if (capacity > 0) require_result(result, where, argument);
  const auto size = static_cast<std::size_t>(values.size());
  for (std::size_t i = 0; i < std::min(size, static_cast<std::size_t>(capacity)); ++i) result[i] = convert(values[i]);
  *count = static_cast<int>(size);
}
template <int N>
void give_boxes(const std::vector<wherry::box<N>>& boxes, int capacity, wherry_box* result, int* count,
                std::string_view where) {
  give_list(boxes, capacity, result, count, where, "result", [](const auto& one) { return box_of<N>(one); });
}

}  // namespace wherry_c
