// The objects for which the handles of floor plans, x-arrays and motion plans stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wherry/c/floor_plans.h"
#include "wherry/c/movers.h"
#include "wherry/c/x_arrays.h"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/motion/x_array.hpp"

#include "boxes.hpp"
#include "objects.hpp"

namespace wherry_c {

template <int N> using floor_plan_of = wherry::floor_plan<N>;
/// An array whose element type is known at run time: its grids have strides in bytes.
template <int N> using byte_array = wherry::x_array<std::byte, N>;

struct floor_plan_object {
  in_any_dimensions<floor_plan_of> plan;
  std::string text{};  // the last one that was asked for

  explicit floor_plan_object(in_any_dimensions<floor_plan_of> made) : plan(std::move(made)) {}
};
template <> inline constexpr kind kind_of<floor_plan_object> = kind::floor_plan;

struct x_array_object : std::enable_shared_from_this<x_array_object> {
  in_any_dimensions<byte_array> array;
  wherry_type type;  // of the numbers
  int numbers;       // that make an element

  x_array_object(in_any_dimensions<byte_array> made, wherry_type of, int side_by_side)
      : array(std::move(made)), type(of), numbers(side_by_side) {}
  const wherry::communicator& comm() const {
    return std::visit([](const auto& one) -> const wherry::communicator& { return one.comm(); }, array);
  }
  int dimensions() const { return static_cast<int>(array.index()) + 1; }
};
template <> inline constexpr kind kind_of<x_array_object> = kind::x_array;

/// A list of entries, or the rules that make them, one for each stage.
template <int N> struct motions_of {
  std::optional<wherry::motion_plan<N>> list{};
  std::vector<wherry::box_motions<N>> rules{};

  /// The stages. They refer to the list.
  std::vector<wherry::box_motions<N>> stages() const {
    return list ? std::vector{wherry::box_motions<N>::of(*list)} : rules;
  }
};
struct motion_plan_object {
  in_any_dimensions<motions_of> motions;
  std::string text{};  // the last one that was asked for

  explicit motion_plan_object(in_any_dimensions<motions_of> made) : motions(std::move(made)) {}
  int dimensions() const { return static_cast<int>(motions.index()) + 1; }
};
template <> inline constexpr kind kind_of<motion_plan_object> = kind::motion_plan;

/// The floor plan of a handle.
/// @throws error(argument) if the handle names none, or one of other dimensions
template <int N>
const wherry::floor_plan<N>& plan_in(wherry_floor_plan plan, std::string_view where, std::string_view argument) {
  return in_dimensions<N>(object_of<floor_plan_object>(plan, where, argument).plan, where, argument);
}
/// Calls `step(plan)` with the floor plan of a handle.
template <class Step>
auto with_plan(wherry_floor_plan plan, std::string_view where, std::string_view argument, Step&& step) {
  auto& given = object_of<floor_plan_object>(plan, where, argument);
  return std::visit([&]<int N>(wherry::floor_plan<N>& one) { return step(one); }, given.plan);
}
/// Runs a question about a floor plan.
template <class Step> wherry_status ask_plan(wherry_floor_plan plan, std::string_view where, Step&& step) noexcept {
  return guarded(where, [&] { with_plan(plan, where, "plan", step); });
}
template <int N> std::shared_ptr<floor_plan_object> new_plan(wherry::floor_plan<N> made) {
  return std::make_shared<floor_plan_object>(in_any_dimensions<floor_plan_of>(std::move(made)));
}

/// The structure for a grid whose strides are in bytes.
template <int N>
wherry_block block_of(const x_array_object& array, int number, const wherry::box<N>& core,
                      const wherry::grid_view<const std::byte, N>& values, wherry::memory_space space) {
  const auto bytes = static_cast<std::int64_t>(array.type & 0xffffffu) * array.numbers;
  wherry_block result{};
  result.number = number;
  result.components = values.components();
  result.component_stride = values.component_stride() / bytes;
  result.core = box_of<N>(core);
  result.whole = box_of<N>(values.cells());
  result.values.data = const_cast<std::byte*>(values.data());
  result.values.dimensions = N;
  result.values.components = array.numbers;
  result.values.type = array.type;
  result.values.space = space == wherry::memory_space::device ? WHERRY_DEVICE : WHERRY_HOST;
  for (std::size_t d = 0; d < N; ++d) {
    result.values.extents[d] = values.cells().extent(static_cast<int>(d));
    result.values.strides[d] = values.strides()[d] / bytes;
  }
  return result;
}

/// An exchange that is a mover, and the arrays whose memory it uses.
struct kept_mover {
  std::vector<std::shared_ptr<void>> arrays;
  wherry::mover mover;
};
std::shared_ptr<exchange_object> exchange_of_mover(std::vector<std::shared_ptr<void>> arrays, wherry::mover made);
wherry::mover_options mover_options_of(const wherry_mover_options* given, std::string_view where);
/// The conversion of a movement between elements of `from_numbers` and `to_numbers` numbers, as an update; none if the
/// elements are the same.
/// @throws error(argument) if there is no conversion
std::optional<wherry::reduction> conversion_between(wherry_type from, int from_numbers, wherry_type to, int to_numbers,
                                                    std::string_view where, std::string_view argument);

/// Makes the stages of a mover.
/// @param movement_of `movement_of(given, name, has_update, arrays)` makes a movement and keeps what it refers to
template <class Movement, class Make>
std::shared_ptr<exchange_object> new_mover(const wherry::communicator& comm, int count, const Movement* movements,
                                           const wherry_mover_options* options, const wherry_exchange* result,
                                           std::string_view where, Make&& movement_of) {
  wherry::mover_options how;
  std::vector<wherry::detail::mover_stage> stages;
  std::vector<std::shared_ptr<void>> arrays;
  wherry::detail::collectively(comm, where, [&] {
    require_result(result, where, "result");
    how = mover_options_of(options, where);
    if (count == 0) refuse(where, "'movement_count' is 0");
    int number = 0;
    for (const auto& given : list_of(movements, count, where, "movements")) {
      const auto name = wherry::detail::text("movements[", number++, ']');
      const auto wanted = static_cast<std::size_t>(given.stage);
      if (given.stage < 0 || wanted > stages.size() || wanted + 1 < stages.size())
        refuse(where, name, " has the stage ", given.stage, ", but stages ascend from 0 without a gap");
      if (wanted == stages.size()) stages.emplace_back();
      stages.back().push_back(movement_of(given, name, how.update.has_value(), arrays));
    }
  });
  return exchange_of_mover(std::move(arrays), wherry::mover(wherry::mover_stages(std::move(stages)), how));
}

}  // namespace wherry_c
