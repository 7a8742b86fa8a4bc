#include "halo.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/checked.hpp"

#include "convert.hpp"
#include "objects.hpp"

namespace wherry_c {
namespace {

static_assert(most_halo_dimensions == WHERRY_MAX_HALO_DIMENSIONS &&
              most_halo_dimensions == wherry::max_halo_dimensions);

wherry::halo_field field_of(const wherry_field& given, int number, std::string_view where) {
  const auto argument = wherry::detail::text("field ", number);
  const auto& array = given.array;
  check_view(array, most_halo_dimensions, where, argument);
  const auto each = element_of(array.type, array.components, where, argument);
  wherry::halo_field result;
  result.name = given.name != nullptr ? given.name : std::to_string(number);
  result.data = array.data;
  result.element = each.bytes;
  result.type = each.type;
  result.dimensions = array.dimensions;
  result.space = space_of(array, where, argument);
  for (std::size_t d = 0; d < static_cast<std::size_t>(array.dimensions); ++d) {
    const auto& along = given.halo[d];
    if (along.length != array.extents[d])
      refuse(where, "dimension ", d, " of ", argument, " has ", array.extents[d],
             " elements, but its halo descriptor has the length ", along.length);
    result.halo[d] = {along.minus, along.plus, along.begin, along.end, along.length};
    result.on_planes[d] = given.on_planes[d] != 0;
    result.stride[d] = wherry::detail::checked{where, "stride in bytes"}.product(array.strides[d], each.bytes);
  }
  return result;
}

wherry::halo_part part_of(const wherry_halo_part& given, int dimensions, std::string_view where) {
  if (given.cells.dimensions != dimensions)
    refuse(where, "a part in 'options.parts' has ", given.cells.dimensions, " dimensions, but the fields have ",
           dimensions);
  return with_dimensions<most_halo_dimensions>(
      dimensions, where, [&]<int N>() { return wherry::halo_part(box_of<N>(given.cells), given.subdomain); });
}

}  // namespace

wherry::stencil_shape stencil_of(wherry_stencil stencil, const int* directions, int direction_count, int dimensions,
                                 std::string_view where) {
  switch (stencil) {
    case WHERRY_STENCIL_ALL:
      return wherry::stencil_shape::all();
    case WHERRY_STENCIL_FACES:
      return wherry::stencil_shape::faces();
    case WHERRY_STENCIL_LISTED: {
      if (direction_count < 0 || direction_count > 4096)
        refuse(where, "'options.direction_count' is ", direction_count);
      const auto numbers = list_of(directions, direction_count * dimensions, where, "options.directions");
      std::vector<wherry::cell_direction> listed(static_cast<std::size_t>(direction_count));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < -1 || numbers[i] > 1)
          refuse(where, "'options.directions' has the number ", numbers[i], ", expected -1, 0 or 1");
        const auto d = static_cast<std::size_t>(dimensions);
        listed[i / d][i % d] = numbers[i];
      }
      return wherry::stencil_shape::only(std::move(listed));
    }
  }
  refuse(where, "'options.stencil' is ", stencil, ", which does not exist");
}

wherry::halo_order order_of(wherry_halo_order order, std::string_view where) {
  switch (order) {
    case WHERRY_HALO_AUTOMATIC:
      return wherry::halo_order::automatic;
    case WHERRY_HALO_DIRECT:
      return wherry::halo_order::direct;
    case WHERRY_HALO_WRAPPED_LAST:
      return wherry::halo_order::wrapped_last;
    case WHERRY_HALO_BY_DIMENSION:
      return wherry::halo_order::by_dimension;
  }
  refuse(where, "'options.order' is ", order, ", which does not exist");
}

wherry::halo_options halo_options_of(const wherry_halo_options* given, int dimensions, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::halo_options result;
  if (options.axes != nullptr) result.axes.assign(options.axes, options.axes + dimensions);
  result.stencil = stencil_of(options.stencil, options.directions, options.direction_count, dimensions, where);
  result.order = order_of(options.order, where);
  result.reverse = options.reverse != 0;
  result.update = reduction_of(options.update, where, "options.update");
  result.combine_copies = reduction_of(options.combine_copies, where, "options.combine_copies");
  for (const auto& part : list_of(options.parts, options.part_count, where, "options.parts"))
    result.parts.push_back(part_of(part, dimensions, where));
  result.carry = carry_of(options.carry, where);
  return result;
}

/// An exchange of some fields as one that ends by itself: in flight, it is waited for, and given up if that fails. The
/// whole exchange lives as long.
std::shared_ptr<wherry::bound_pattern> subset_of(std::shared_ptr<wherry::bound_pattern> whole,
                                                 wherry::halo_exchange& some) {
  return {&some, [whole = std::move(whole)](wherry::bound_pattern* one) noexcept {
            try {
              if (!one->test()) one->wait();
            } catch (...) {  // nobody could be told; its destructor gives it up
              const wherry::exchange ended(std::move(one->bound()));
            }
          }};
}

std::vector<wherry::halo_field> fields_of(const wherry_field* fields, int count, std::string_view where) {
  std::vector<wherry::halo_field> result;
  for (const auto& field : list_of(fields, count, where, "fields"))
    result.push_back(field_of(field, static_cast<int>(result.size()), where));
  if (result.empty()) refuse(where, "'field_count' is 0");
  return result;
}

}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_field wherry_field_inside(wherry_view array, int64_t width) {
  wherry_field result{};
  result.array = array;
  for (int d = 0; d < array.dimensions && d < most_halo_dimensions; ++d) {
    // A width with which the end overflows leaves no core, which the call that uses the field refuses.
    std::int64_t end = 0;
    if (__builtin_sub_overflow(array.extents[d], 1, &end) || __builtin_sub_overflow(end, width, &end)) end = INT64_MIN;
    result.halo[d] = {width, width, width, end, array.extents[d]};
  }
  return result;
}

wherry_status wherry_halo_exchange_create(wherry_process_grid grid, int field_count, const wherry_field* fields,
                                          const wherry_halo_options* options, wherry_exchange* result) {
  constexpr auto where = "wherry_halo_exchange_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::process_grid>(grid, where, "grid");
    std::vector<wherry::halo_field> list;
    wherry::halo_options wanted;
    wherry::detail::collectively(ours.comm(), where, [&] {
      require_result(result, where, "result");
      list = fields_of(fields, field_count, where);
      wanted = halo_options_of(options, list.front().dimensions, where);
    });
    auto bound = std::make_shared<wherry::halo_exchange>(ours, wanted, std::move(list));
    return std::make_shared<exchange_object>(exchange_object{
        .pattern = bound, .halo = bound.get(), .arrays = field_count, .fields = one_field_each(field_count)});
  });
}

wherry_status wherry_halo_exchange_only(wherry_exchange exchange, int field_count, const int* fields, int64_t depth,
                                        wherry_exchange* result) {
  constexpr auto where = "wherry_halo_exchange_only";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    auto& whole = object_of<exchange_object>(exchange, where, "exchange");
    if (whole.halo == nullptr) refuse(where, "'exchange' is no halo exchange");
    const auto chosen = list_of(fields, field_count, where, "fields");
    auto& some = whole.halo->only(chosen, depth < 0 ? wherry::halo_exchange::whole_depth : depth);
    // It takes its fields in the order of their creation, and the program's arrays come in the order of `fields`.
    auto order = one_field_each(field_count);
    std::ranges::sort(order, {}, [&](const auto& one) { return chosen[static_cast<std::size_t>(one.array)]; });
    exchange_object subset{.pattern = subset_of(whole.pattern, some), .boxes = whole.boxes, .arrays = 0, .fields = {}};
    for (int b = 0; b < whole.boxes; ++b, subset.arrays += field_count)
      for (const auto& one : order) subset.fields.push_back({.array = subset.arrays + one.array});
    subset.table.resize(subset.fields.size());
    return std::make_shared<exchange_object>(std::move(subset));
  });
}
}
