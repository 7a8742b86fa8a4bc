#include "wherry/c/x_arrays.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "blocks.hpp"

namespace wherry_c {
namespace {

x_array_object& x_array_named(wherry_x_array array, std::string_view where) {
  return object_of<x_array_object>(array, where, "array");
}

template <int N> wherry::layout<N> layout_of(const wherry_x_array_options& options, std::string_view where) {
  switch (options.layout) {
    case WHERRY_LAYOUT_FORTRAN:
      return wherry::fortran_layout<N>();
    case WHERRY_LAYOUT_C:
      return wherry::c_layout<N>();
    case WHERRY_LAYOUT_LISTED: {
      wherry::layout<N> result;
      for (std::size_t d = 0; d < N; ++d) result.place[d] = options.places[d];
      return result;
    }
  }
  refuse(where, "'options.layout' is ", options.layout, ", which does not exist");
}

template <int N>
wherry::x_array_options<N> array_options_of(const wherry_x_array_options& given, wherry_type type,
                                            std::string_view where) {
  if (given.components < 0) refuse(where, "'options.components' is ", given.components);
  if (given.numbers < 0) refuse(where, "'options.numbers' is ", given.numbers);
  if (given.space != WHERRY_HOST && given.space != WHERRY_DEVICE)
    refuse(where, "'options.space' is ", given.space, ", expected WHERRY_HOST or WHERRY_DEVICE");
  wherry::x_array_options<N> result;
  const auto of = element_of(type, given.numbers, where, "the x-array");
  result.element = {of.bytes, of.type};
  result.ghost_width = widths_in<N>(&given.ghost_width);
  result.centring = centring_in<N>(given.on_planes);
  result.layout = layout_of<N>(given, where);
  result.components = given.components == 0 ? 1 : given.components;
  result.pad_rows = given.dense_rows == 0;
  if (given.name != nullptr) result.name = given.name;
  if (given.space == WHERRY_DEVICE) result.space = wherry::memory_space::device;
  return result;
}

/// The program's array as a grid over `whole`, with strides in bytes.
template <int N>
wherry::grid_view<std::byte, N> grid_over(const wherry_view& array, const wherry::box<N>& whole,
                                          const wherry::x_array_options<N>& options, wherry_type type, int numbers,
                                          std::string_view where, std::string_view argument) {
  const int wanted = options.components > 1 ? N + 1 : N;
  check_view(array, WHERRY_MAX_DIMENSIONS, where, argument);
  if (array.dimensions != wanted)
    refuse(where, argument, " has ", array.dimensions, " dimensions, expected ", wanted,
           wanted > N ? ", the last of them for the components" : "");
  if (array.type != type || std::max(array.components, 1) != numbers)
    refuse(where, argument, " has another type, or number of components, than the x-array");
  const auto space = space_of(array, where, argument);
  if ((space == wherry::memory_space::device) != (options.space == wherry::memory_space::device))
    refuse(where, argument, " lies in another memory space than 'options.space' says");
  const wherry::detail::checked bytes{where, "stride in bytes"};
  wherry::point<N> strides;
  for (std::size_t d = 0; d < N; ++d) {
    if (array.extents[d] != whole.extent(static_cast<int>(d)))
      refuse(where, argument, " has ", array.extents[d], " elements in dimension ", d,
             ", but the box with its ghost cells has ", whole.extent(static_cast<int>(d)));
    strides[d] = bytes.product(array.strides[d], options.element.bytes);
  }
  if (wanted > N && array.extents[N] != options.components)
    refuse(where, argument, " has ", array.extents[N], " elements in the last dimension, expected ", options.components,
           " components");
  return {static_cast<std::byte*>(array.data), whole, strides, options.components,
          wanted > N ? bytes.product(array.strides[N], options.element.bytes) : 0};
}

template <class Find>
wherry_status block_in(wherry_x_array array, wherry_block* result, std::string_view where, Find&& find) noexcept {
  return guarded(where, [&] {
    const auto& given = x_array_named(array, where);
    require_result(result, where, "result");
    std::visit(
        [&]<int N>(const byte_array<N>& one) {
          const auto all = one.blocks();
          const auto& [number, core, values] = all[find(one, all)];
          *result = block_of<N>(given, number, core, values, one.shape().space);
        },
        given.array);
  });
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_x_array_create(wherry_communicator comm, wherry_floor_plan plan, wherry_type type,
                                    const wherry_x_array_options* options, wherry_x_array* result) {
  constexpr auto where = "wherry_x_array_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    require_result(result, where, "result");
    return with_plan(plan, where, "plan", [&]<int N>(const wherry::floor_plan<N>& one) {
      const auto given = options_of(options, where);
      return std::make_shared<x_array_object>(byte_array<N>(ours, one, array_options_of<N>(given, type, where)), type,
                                              std::max(given.numbers, 1));
    });
  });
}
wherry_status wherry_x_array_create_over(wherry_communicator comm, wherry_floor_plan plan, wherry_type type,
                                         int grid_count, const wherry_view* grids,
                                         const wherry_x_array_options* options, wherry_x_array* result) {
  constexpr auto where = "wherry_x_array_create_over";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    require_result(result, where, "result");
    return with_plan(plan, where, "plan", [&]<int N>(const wherry::floor_plan<N>& one) {
      const auto given = options_of(options, where);
      const auto how = array_options_of<N>(given, type, where);
      const auto mine = one.owned_by(ours.rank());
      const auto views = list_of(grids, grid_count, where, "grids");
      if (views.size() != mine.size())
        refuse(where, views.size(), " grids were given, but the rank owns ", mine.size(), " boxes");
      std::vector<wherry::grid_view<std::byte, N>> all;
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const auto whole =
            wherry::grow<N>(values_of(one[mine[i]], how.centring), how.ghost_width.minus, how.ghost_width.plus);
        all.push_back(grid_over<N>(views[i], whole, how, type, std::max(given.numbers, 1), where,
                                   wherry::detail::text("grid ", i)));
      }
      return std::make_shared<x_array_object>(byte_array<N>(ours, one, all, how), type, std::max(given.numbers, 1));
    });
  });
}
wherry_status wherry_x_array_free(wherry_x_array* array) {
  constexpr auto where = "wherry_x_array_free";
  return guarded(where, [&] { free_handle<x_array_object>(array, where, "array"); });
}

wherry_status wherry_x_array_shape(wherry_x_array array, int* dimensions, int* blocks, int* components,
                                   wherry_type* type) {
  constexpr auto where = "wherry_x_array_shape";
  return guarded(where, [&] {
    const auto& given = x_array_named(array, where);
    std::visit(
        [&]<int N>(const byte_array<N>& one) {
          if (dimensions != nullptr) *dimensions = N;
          if (blocks != nullptr) *blocks = static_cast<int>(one.blocks().size());
          if (components != nullptr) *components = one.shape().components;
        },
        given.array);
    if (type != nullptr) *type = given.type;
  });
}
wherry_status wherry_x_array_block(wherry_x_array array, int index, wherry_block* result) {
  constexpr auto where = "wherry_x_array_block";
  return block_in(array, result, where, [&](const auto&, const auto& all) {
    if (index < 0 || static_cast<std::size_t>(index) >= all.size())
      refuse(where, "'index' is ", index, ", but the rank has ", all.size(), " grids");
    return static_cast<std::size_t>(index);
  });
}
wherry_status wherry_x_array_find(wherry_x_array array, int number, wherry_block* result) {
  return block_in(array, result, "wherry_x_array_find", [&](const auto& one, const auto& all) {
    static_cast<void>(one[number]);  // throws if the grid is on another rank
    std::size_t place = 0;
    while (all[place].number != number) ++place;
    return place;
  });
}
wherry_status wherry_x_array_plan(wherry_x_array array, wherry_floor_plan* result) {
  constexpr auto where = "wherry_x_array_plan";
  return creating(result, where, [&] {
    const auto& given = x_array_named(array, where);
    require_result(result, where, "result");
    return std::visit([]<int N>(const byte_array<N>& one) { return new_plan<N>(one.plan()); }, given.array);
  });
}
wherry_status wherry_x_array_adopt(wherry_x_array array, wherry_floor_plan plan) {
  constexpr auto where = "wherry_x_array_adopt";
  return guarded(where, [&] {
    auto& given = x_array_named(array, where);
    std::visit([&]<int N>(byte_array<N>& one) { one.adopt(plan_in<N>(plan, where, "plan")); }, given.array);
  });
}
}
