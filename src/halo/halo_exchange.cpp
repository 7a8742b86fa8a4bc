#include "wherry/halo/halo_exchange.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/device/field_memory.hpp"

#include "arrival.hpp"
#include "core/terms.hpp"
#include "halo_subsets.hpp"
#include "part_boxes.hpp"
#include "plan_halo.hpp"
#include "resolve.hpp"
#include "unfilled_rim.hpp"

namespace wherry {
namespace {

std::string_view name_of(halo_order order) {
  switch (order) {
    case halo_order::automatic:
      return "automatic";
    case halo_order::direct:
      return "direct";
    case halo_order::wrapped_last:
      return "wrapped_last";
    case halo_order::by_dimension:
      return "by_dimension";
  }
  return "unknown";
}

/// Refuses a stencil without the directions in which values on planes are shared: these values belong to the core and
/// must always be copied.
void check_stencil(const halo_field& field, const stencil_shape& stencil, int rank) {
  box<max_halo_dimensions> ways;
  for (std::size_t d = 0; d < ways.upper.size(); ++d) ways.upper[d] = field.on_planes[d] ? 2 : 1;
  for_each_point(ways, [&](const point<max_halo_dimensions>& at) {
    cell_direction way{};
    for (std::size_t d = 0; d < at.size(); ++d) way[d] = static_cast<int>(at[d]);
    if (way == cell_direction{} || stencil.contains(way)) return;
    throw error(
        error_kind::argument, "halo_exchange",
        detail::text("field '", field.name,
                     "' has values on planes, and 'stencil' leaves out values that several ranks "
                     "share: those above in each of the field's dimensions on planes, corners too, must be in it"),
        rank);
  });
}

void check_fields(const std::vector<halo_field>& fields, const halo_options& options, int rank) {
  if (fields.empty())
    throw error(error_kind::argument, "halo_exchange", "'fields' is empty, expected at least one field", rank);
  for (const auto& f : fields) {
    check_halo_field(f, rank);
    if (f.dimensions != fields.front().dimensions)
      throw error(error_kind::argument, "halo_exchange",
                  detail::text("field '", f.name, "' has ", f.dimensions, " dimensions, expected ",
                               fields.front().dimensions, " as the first field has"),
                  rank);
    check_stencil(f, options.stencil, rank);
  }
}

template <class Say> void say_options(const halo_options& options, Say& say) {
  const auto list = [](const auto& numbers) {
    std::string all;
    for (const int n : numbers) all += detail::text(all.empty() ? "" : " ", n);
    return all;
  };
  say(list(options.axes), "'axes'");
  say(name_of(options.order), "'order'");
  say(static_cast<int>(options.stencil.kind), "the kind of 'stencil'");
  say(options.stencil.listed.size(), "the number of directions of 'stencil'");
  for (std::size_t i = 0; i < options.stencil.listed.size(); ++i)
    say(list(options.stencil.listed[i]), "direction ", i, " of 'stencil'");
  say(options.reverse, "'reverse'");
  say(options.combine_copies.has_value(), "whether there is a 'combine_copies'");
  say(options.update.has_value(), "whether there is an 'update'");
  say(options.carry.snapshot, "'snapshot'");
  say(options.carry.packet_bytes, "'packet_bytes'");
}

terms terms_of(const std::vector<halo_field>& fields, const halo_options& options) {
  return terms([&](auto& say) {
    say(fields.size(), "the number of fields");
    say(fields.empty() ? 0 : fields.front().dimensions, "the number of dimensions");
    say_options(options, say);
  });
}

bool has_cells(const halo_field& field) {
  return std::all_of(field.halo.begin(), field.halo.begin() + field.dimensions,
                     [](const halo_descriptor& h) { return h.core() > 0; });
}

/// The addresses of all fields. A field without cells may have a null pointer, and gets the address of a dummy instead.
std::vector<void*> addresses(const std::vector<std::vector<halo_field>>& fields) {
  static std::byte nothing{};
  std::vector<void*> table;
  for (const auto& subdomain : fields)
    for (const auto& f : subdomain) table.push_back(f.data == nullptr && !has_cells(f) ? &nothing : f.data);
  return table;
}

/// The fields of one subdomain; those of the others are alike.
std::vector<arriving_field> arriving_fields(const std::vector<std::vector<halo_field>>& fields) {
  std::vector<arriving_field> list;
  if (!fields.empty())
    for (const auto& f : fields.front()) list.push_back({detail::text("field '", f.name, "'"), f.type, f.element});
  return list;
}

/// Uses the addresses as the default if all are known; otherwise each `start` must pass them.
exchange with_addresses(exchange bound, const std::vector<void*>& table) {
  if (!table.empty() && std::find(table.begin(), table.end(), nullptr) == table.end()) bound.set_fields(table);
  return bound;
}

/// @param given the fields as the user has passed them, to which the parts refer
/// @param make_plan makes a schedule from the completed description
exchange bind_halo(const communicator& comm, halo_description description,
                   const std::vector<std::vector<halo_field>>& given, const halo_options& options,
                   const std::function<plans::schedule(const halo_description&)>& make_plan) {
  const auto table = addresses(description.fields);
  const auto way = way_of(options);
  description.stencil = options.stencil;
  // Every rank takes the same order, also one without fields, which knows no operation.
  description.order = options.carry.snapshot || way.update ? halo_order::direct : options.order;
  description.reverse = way.reverse;
  description.gives_back = way.gives_back;
  description.packet_bytes = options.carry.packet_bytes;
  plans::schedule plan;
  plans::functions code;
  const part_boxes parts(options.parts, given);
  detail::collectively(comm, "halo_exchange", [&] {
    check_way(options, "halo_exchange", comm.rank());
    parts.check(options.carry, comm.rank());
    for (auto& subdomain : description.fields)
      for (auto& f : subdomain) f.space = detail::space_of(comm, f.data, f.space);
    auto arriving = arrival_of(way.update, arriving_fields(description.fields), "halo_exchange", comm.rank());
    description.operations = std::move(arriving.operations);
    code = std::move(arriving.code);
    plan = make_plan(description);
    if (way.reverse) check_reverse(plan, code, comm.rank());
  });
  auto bound = with_addresses(exchange(comm, std::move(plan), std::move(code), options.carry), table);
  if (!options.parts.empty())
    bound.divide(static_cast<int>(options.parts.size()), [&](const plans::block_row& row, std::vector<int>& needed) {
      parts.append_needed(bound.schedule().what(row), needed);
    });
  return bound;
}

bool any_on_device(const std::vector<halo_field>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const halo_field& f) { return detail::space_of(f.data, f.space) == memory_space::device; });
}

exchange bind_on_grid(const process_grid& grid, const halo_options& options, const std::vector<halo_field>& fields) {
  const auto& comm = grid.comm();
  std::vector<double> on_device{0};
  const auto step = [&] {
    check_fields(fields, options, comm.rank());
    axis_mapping(grid, fields.front().dimensions, options.axes);
    on_device[0] = any_on_device(fields) ? 1 : 0;
  };
  on_device = collectively_on(terms_of(fields, options), comm, "halo_exchange", step, on_device);
  const axis_mapping mapping(grid, fields.front().dimensions, options.axes);
  auto resolved = resolve_halos(grid, mapping, fields);
  if (current_settings().check && comm.rank() == 0) std::fputs(unfilled_rims(resolved.rims).c_str(), stderr);
  halo_description d;
  if (grid.contains(comm.rank())) d.subdomains = {resolved.cuts.front().number(mapping.place_of(comm.rank()))};
  d.on_device = on_device[0] > 0;
  d.wire_order = std::move(resolved.wire_order);
  d.fields = {std::move(resolved.fields)};  // also outside the grid, since `start` takes as many pointers there
  return bind_halo(comm, std::move(d), {fields}, options,
                   [&](const halo_description& all) { return plan_halo(all, resolved.cuts, comm.rank()); });
}

/// The arguments that ranks compare. Ranks know different parts of a partial plan, so its boxes are not compared here;
/// the two sides of each message are compared when the exchange is bound.
template <int N> terms terms_of(const floor_plan<N>& plan, const domain<N>& space, const halo_options& options) {
  return terms([&](auto& say) {
    say(N, "the number of dimensions");
    say(plan.size(), "the number of boxes");
    say(plan.complete(), "whether the floor plan is complete");
    for (std::size_t d = 0; d < N; ++d) {
      say(bool{space.periodic[d]}, "the periodicity of dimension ", d);
      say(space.cells.lower[d], "where the domain begins in dimension ", d);
      say(space.cells.upper[d], "where the domain ends in dimension ", d);
    }
    for (int number = 0; plan.complete() && number < plan.size(); ++number) {
      say(plan.owner(number), "the owner of box ", number);
      for (std::size_t d = 0; d < N; ++d) {
        say(plan[number].lower[d], "where box ", number, " begins in dimension ", d);
        say(plan[number].upper[d], "where box ", number, " ends in dimension ", d);
      }
    }
    say_options(options, say);
  });
}

void check_boxes(const communicator& comm, int dimensions, std::size_t owned,
                 const std::vector<std::vector<halo_field>>& fields, const halo_options& options) {
  if (owned != fields.size())
    throw error(error_kind::argument, "halo_exchange",
                detail::text("fields of ", fields.size(), " boxes were given, but the rank owns ", owned, " boxes"),
                comm.rank());
  for (const auto& here : fields) {
    check_fields(here, options, comm.rank());
    for (const auto& f : here)
      if (f.on_planes != decltype(f.on_planes){} && options.order != halo_order::automatic &&
          options.order != halo_order::direct)
        throw error(
            error_kind::argument, "halo_exchange",
            detail::text(
                "field '", f.name,
                "' has values on planes, which on a floor plan travel in one stage: use 'order' 'direct', not '",
                name_of(options.order), "'"),
            comm.rank());
    if (here.size() != fields.front().size() || here.front().dimensions != dimensions)
      throw error(error_kind::argument, "halo_exchange",
                  "'fields' must have the same number of fields for each box, and the dimensions of the floor plan",
                  comm.rank());
  }
}

template <int N>
exchange bind_on_floor(const communicator& comm, const floor_plan<N>& plan, const domain<N>& space,
                       const halo_options& options, std::vector<std::vector<halo_field>> fields) {
  halo_description d;
  std::vector<double> on_device{0};
  const auto step = [&] {
    d.subdomains = plan.owned_by(comm.rank());
    check_boxes(comm, N, d.subdomains.size(), fields, options);
    on_device[0] = std::any_of(fields.begin(), fields.end(), any_on_device) ? 1 : 0;
  };
  on_device = collectively_on(terms_of(plan, space, options), comm, "halo_exchange", step, on_device);
  d.on_device = on_device[0] > 0;
  auto agreed = agree_on_fields(comm, N, fields);
  d.wire_order = std::move(agreed.wire_order);
  d.on_planes = agreed.on_planes;
  d.fields = fields;
  return bind_halo(comm, std::move(d), fields, options,
                   [&](const halo_description& all) { return plan_halo(all, plan, space, comm.rank()); });
}

/// All fields in the order of the schedule.
std::vector<halo_field> joined(const std::vector<std::vector<halo_field>>& fields) {
  std::vector<halo_field> all;
  for (const auto& subdomain : fields) all.insert(all.end(), subdomain.begin(), subdomain.end());
  return all;
}

}  // namespace

halo_exchange::halo_exchange(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields)
    : bound_pattern(bind_on_grid(grid, options, fields)),
      shapes_(fields),
      subsets_(std::make_shared<subsets>(subsets{grid.comm(), {std::move(fields)}, [grid, options](const auto& some) {
                                                   return bind_on_grid(grid, options, some.front());
                                                 }})) {}

template <int N>
halo_exchange::halo_exchange(const communicator& comm, const floor_plan<N>& plan, const domain<N>& space,
                             const halo_options& options, std::vector<std::vector<halo_field>> fields)
    : bound_pattern(bind_on_floor(comm, plan, space, options, fields)),
      shapes_(joined(fields)),
      subsets_(
          std::make_shared<subsets>(subsets{comm, std::move(fields), [comm, plan, space, options](const auto& some) {
                                              return bind_on_floor(comm, plan, space, options, some);
                                            }})) {}

#define WHERRY_HALO_EXCHANGE(N)                                                                      \
  template halo_exchange::halo_exchange(const communicator&, const floor_plan<N>&, const domain<N>&, \
                                        const halo_options&, std::vector<std::vector<halo_field>>);
WHERRY_HALO_EXCHANGE(1)
WHERRY_HALO_EXCHANGE(2)
WHERRY_HALO_EXCHANGE(3)
WHERRY_HALO_EXCHANGE(4)
#undef WHERRY_HALO_EXCHANGE

}  // namespace wherry
