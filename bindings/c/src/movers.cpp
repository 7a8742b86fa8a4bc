#include "wherry/c/movers.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "wherry/blocks/ghost_filler.hpp"
#include "wherry/motion/resolve.hpp"
#include "wherry/plan/numbers.hpp"

#include "blocks.hpp"
#include "halo.hpp"
#include "program_functions.hpp"

namespace wherry_c {
namespace {

using kept_array = std::shared_ptr<x_array_object>;

kept_array kept(wherry_x_array array, std::string_view where, std::string_view argument) {
  return object_of<x_array_object>(array, where, argument).shared_from_this();
}

/// A movement as the C++ library has it, and the arrays that it refers to.
wherry::movement movement_of(const wherry_movement& given, const wherry::communicator& comm, bool has_update,
                             std::vector<std::shared_ptr<void>>& arrays, std::string_view where,
                             const std::string& name) {
  const auto of = [&name](std::string_view member) { return wherry::detail::text(name, '.', member); };
  const auto& motions = object_of<motion_plan_object>(given.motions, where, of("motions"));
  const auto from = kept(given.source, where, of("source")), to = kept(given.destination, where, of("destination"));
  if (!(from->comm() == comm)) refuse(where, '\'', of("source"), "' has another communicator than 'comm'");
  if (!(to->comm() == comm)) refuse(where, '\'', of("destination"), "' has another communicator than 'comm'");
  wherry::movement_options how{reduction_of(given.update, where, of("update"))};
  if (!how.update && !has_update)
    how.update = conversion_between(from->type, from->numbers, to->type, to->numbers, where, name);
  arrays.push_back(from);
  arrays.push_back(to);
  return std::visit(
      [&]<int N>(const motions_of<N>& entries) {
        return wherry::movement(entries.stages(), std::as_const(in_dimensions<N>(from->array, where, of("source"))),
                                in_dimensions<N>(to->array, where, of("destination")), how);
      },
      motions.motions);
}

template <int N> wherry::ghost_options<N> ghost_options_of(const wherry_ghost_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::ghost_options<N> result;
  result.stencil = stencil_of(options.stencil, options.directions, options.direction_count, N, where);
  result.combine_copies = reduction_of(options.combine_copies, where, "options.combine_copies");
  result.contributing = widths_in<N>(&options.contributing);
  result.in_parts = options.in_parts != 0;
  result.carry = carry_of(options.carry, where);
  return result;
}

/// The arrays in the form that a mover takes.
std::vector<wherry::detail::moved_array> moved_arrays(int count, const wherry_x_array* arrays, std::string_view where) {
  std::vector<wherry::detail::moved_array> result;
  for (const auto array : list_of(arrays, count, where, "arrays")) {
    const auto& one = object_of<x_array_object>(array, where, wherry::detail::text("arrays[", result.size(), ']'));
    result.push_back(std::visit([](const auto& values) { return wherry::detail::moved(values); }, one.array));
  }
  return result;
}

template <class Start>
wherry_status start_mover(wherry_exchange exchange, int count, const wherry_x_array* arrays, std::string_view where,
                          Start&& start) noexcept {
  return guarded(where, [&] {
    auto& one = object_of<exchange_object>(exchange, where, "exchange");
    if (one.mover == nullptr) refuse(where, "'exchange' is no mover");
    refuse_in_program_function(where);
    start(*one.mover, moved_arrays(count, arrays, where));
  });
}

/// Lets arrays have other floor plans until the end of a block.
template <int N> class adopted {
 public:
  adopted(byte_array<N>& array, const wherry::floor_plan<N>& plan) : array_(array), own_(array.plan()) {
    array.adopt(plan);
  }
  adopted(const adopted&) = delete;
  adopted& operator=(const adopted&) = delete;
  ~adopted() { array_.adopt(own_); }

 private:
  byte_array<N>& array_;
  wherry::floor_plan<N> own_;
};

template <int N>
void redistribute(byte_array<N>& from, byte_array<N>& to, const wherry::domain<N>& space,
                  const wherry::mover_options& how) {
  const auto on = from.shape().centring;
  const auto move = [&](const wherry::floor_plan<N>& cells, const wherry::floor_plan<N>& values) {
    wherry::mover(wherry::redistribution(cells, on, values, space), std::as_const(from), to, how)();
  };
  const auto values = values_of(to.plan(), on);
  if (from.plan().complete() && to.plan().complete()) return move(from.plan(), values);
  const auto both = wherry::resolve(from.comm(), from.plan(), on, values, space);
  const adopted<N> source(from, both.from), destination(to, both.to.transformed([&](const wherry::box<N>& whole) {
    auto planes = on.planes();
    for (auto& one : planes) one = -one;
    return wherry::grow<N>(whole, {}, planes);
  }));
  move(both.from, both.to);
}

}  // namespace

wherry::mover_options mover_options_of(const wherry_mover_options* given, std::string_view where) {
  const auto options = options_of(given, where);
  wherry::mover_options result;
  result.update = reduction_of(options.update, where, "options.update");
  result.in_parts = options.in_parts != 0;
  result.carry = carry_of(options.carry, where);
  return result;
}

std::shared_ptr<exchange_object> exchange_of_mover(std::vector<std::shared_ptr<void>> arrays, wherry::mover made) {
  const auto all = std::make_shared<kept_mover>(kept_mover{std::move(arrays), std::move(made)});
  return std::make_shared<exchange_object>(
      exchange_object{.pattern = {all, &all->mover}, .mover = &all->mover, .arrays = 0, .fields = {}});
}

std::optional<wherry::reduction> conversion_between(wherry_type from, int from_numbers, wherry_type to, int to_numbers,
                                                    std::string_view where, std::string_view argument) {
  if (from == to && from_numbers == to_numbers) return std::nullopt;
  using wherry::plans::element_type;
  const auto type_of = [](wherry_type type) {
    return element_type{static_cast<wherry::plans::element_kind>(type >> 24), type & 0xffffffu, 0};
  };
  std::optional<wherry::reduction> result;
  if (from_numbers == 1 && to_numbers == 1)
    wherry::detail::visit_number(type_of(from), [&]<class From>() {
      return wherry::detail::visit_number(type_of(to), [&]<class To>() {
        if constexpr (wherry::detail::is_complex<From> == wherry::detail::is_complex<To>)
          result = wherry::convert<To, From>();
        return 0;
      });
    });
  if (!result) refuse(where, argument, " moves between elements of other types, which cannot be converted");
  return result;
}

}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_mover_create(wherry_communicator comm, int movement_count, const wherry_movement* movements,
                                  const wherry_mover_options* options, wherry_exchange* result) {
  constexpr auto where = "wherry_mover_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    return new_mover(ours, movement_count, movements, options, result, where,
                     [&](const wherry_movement& given, const std::string& name, bool has_update, auto& arrays) {
                       return movement_of(given, ours, has_update, arrays, where, name);
                     });
  });
}
wherry_status wherry_mover_start_with(wherry_exchange exchange, int count, const wherry_x_array* arrays) {
  return start_mover(exchange, count, arrays, "wherry_mover_start_with",
                     [](wherry::mover& one, const auto& given) { one.start_with(given); });
}
wherry_status wherry_mover_start_in_parts_with(wherry_exchange exchange, int count, const wherry_x_array* arrays) {
  return start_mover(exchange, count, arrays, "wherry_mover_start_in_parts_with",
                     [](wherry::mover& one, const auto& given) { one.start_in_parts_with(given); });
}

wherry_status wherry_ghost_filler_create(wherry_x_array array, const wherry_domain* space,
                                         const wherry_ghost_options* options, wherry_exchange* result) {
  constexpr auto where = "wherry_ghost_filler_create";
  return creating(result, where, [&] {
    auto one = kept(array, where, "array");
    return std::visit(
        [&]<int N>(byte_array<N>& values) {
          wherry::ghost_options<N> how;
          wherry::domain<N> cells;
          wherry::detail::collectively(one->comm(), where, [&] {
            require_result(result, where, "result");
            how = ghost_options_of<N>(options, where);
            cells = domain_in<N>(space, where);
          });
          return exchange_of_mover({std::shared_ptr<void>(one)}, wherry::ghost_filler(values, cells, how));
        },
        one->array);
  });
}

wherry_status wherry_redistribute(wherry_x_array from, wherry_x_array to, const wherry_domain* space) {
  constexpr auto where = "wherry_redistribute";
  return guarded(where, [&] {
    const auto source = kept(from, where, "from");
    std::visit(
        [&]<int N>(byte_array<N>& values) {
          kept_array destination;
          wherry::domain<N> cells;
          wherry::mover_options how;
          std::uint32_t completeness = 0;
          wherry::detail::require_mpi(where, source->comm().rank());
          const auto mine = wherry::detail::error_of(source->comm(), where, [&] {
            destination = kept(to, where, "to");
            if (destination == source) refuse(where, "'to' is the array 'from'");
            if (!(destination->comm() == source->comm())) refuse(where, "'to' has another communicator than 'from'");
            const auto& target = in_dimensions<N>(destination->array, where, "to");
            if (target.shape().centring != values.shape().centring)
              refuse(where, "'to' has its values in other places of the cells than 'from'");
            cells = domain_in<N>(space, where);
            how.update = conversion_between(source->type, source->numbers, destination->type, destination->numbers,
                                            where, "the call");
            completeness = (values.plan().complete() ? 2 : 0) + (target.plan().complete() ? 1 : 0);
          });
          wherry::detail::agree_or_throw(
              source->comm(), where, mine ? &*mine : nullptr, completeness,
              "the floor plan of 'from' or 'to' is complete on some ranks and partial on others");
          redistribute(values, in_dimensions<N>(destination->array, where, "to"), cells, how);
        },
        source->array);
  });
}

wherry_status wherry_halo_exchange_create_on_plan(wherry_communicator comm, wherry_floor_plan plan,
                                                  const wherry_domain* space, int box_count, int field_count,
                                                  const wherry_field* fields, const wherry_halo_options* options,
                                                  wherry_exchange* result) {
  constexpr auto where = "wherry_halo_exchange_create_on_plan";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    std::function<std::shared_ptr<wherry::halo_exchange>()> make;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      if (box_count < 0) refuse(where, "'box_count' is ", box_count);
      if (field_count < 1) refuse(where, "'field_count' is ", field_count, ", expected 1 or more");
      int total = 0;
      if (__builtin_mul_overflow(box_count, field_count, &total)) refuse(where, "there are too many fields");
      auto& given = object_of<floor_plan_object>(plan, where, "plan").plan;
      const int dimensions = static_cast<int>(given.index()) + 1;
      with_dimensions<most_halo_dimensions>(dimensions, where, [&]<int N>() {
        const auto& one = in_dimensions<N>(given, where, "plan");
        const auto mine = one.owned_by(ours.rank()).size();
        if (mine != static_cast<std::size_t>(box_count))
          refuse(where, "'box_count' is ", box_count, ", but the rank owns ", mine, " boxes");
        std::vector<std::vector<wherry::halo_field>> by_box;
        for (int b = 0; b < box_count; ++b) {
          list_of(fields, total, where, "fields");
          by_box.push_back(fields_of(fields + static_cast<std::ptrdiff_t>(b) * field_count, field_count, where));
          for (const auto& field : by_box.back())
            if (field.dimensions != N)
              refuse(where, "field '", field.name, "' of box ", b, " has ", field.dimensions,
                     " dimensions, but the plan has ", N);
        }
        make = [&ours, one, cells = domain_in<N>(space, where), how = halo_options_of(options, N, where), by_box] {
          return std::make_shared<wherry::halo_exchange>(ours, one, cells, how, by_box);
        };
      });
    });
    const auto bound = make();
    const int arrays = box_count * field_count;
    return std::make_shared<exchange_object>(exchange_object{
        .pattern = bound, .halo = bound.get(), .boxes = box_count, .arrays = arrays, .fields = one_field_each(arrays)});
  });
}
}
