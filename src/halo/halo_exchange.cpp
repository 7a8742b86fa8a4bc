#include "wherry/halo/halo_exchange.hpp"

#include <algorithm>
#include <functional>

#include "wherry/core/mpi.hpp"

#include "resolve.hpp"

namespace wherry {
namespace {

functions code_of(const halo_options& options) {
  functions code;
  if (options.accumulate) code.reductions.push_back(*options.accumulate);
  return code;
}

void check_fields(const std::vector<halo_field>& fields, const halo_options& options, int rank) {
  if (fields.empty()) throw error(error_kind::argument, "halo_exchange", "there are no fields", rank);
  for (const auto& f : fields) {
    check_halo_field(f, rank);
    if (f.dimensions != fields.front().dimensions)
      throw error(error_kind::argument, "halo_exchange",
                  text("fields have ", fields.front().dimensions, " and ", f.dimensions, " dimensions"), rank);
    if (options.accumulate && f.element % static_cast<index_t>(options.accumulate->element) != 0)
      throw error(error_kind::argument, "halo_exchange",
                  text("the reduction '", options.accumulate->name, "' works on elements of ",
                       options.accumulate->element, " bytes, the field has elements of ", f.element),
                  rank);
  }
}

std::uint32_t fingerprint(const std::vector<halo_field>& fields, const halo_options& options) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](std::uint32_t part) { hash = (hash ^ part) * 16777619u; };
  add(static_cast<std::uint32_t>(fields.size()));
  add(static_cast<std::uint32_t>(fields.empty() ? 0 : fields.front().dimensions));
  for (const int axis : options.axes) add(static_cast<std::uint32_t>(axis));
  add(static_cast<std::uint32_t>(options.order));
  add(static_cast<std::uint32_t>(options.stencil.kind));
  for (const auto& direction : options.stencil.listed)
    for (const int d : direction) add(static_cast<std::uint32_t>(d + 1));
  add(options.accumulate ? 1 : 0);
  add(options.snapshot ? 1 : 0);
  return hash;
}

constexpr const char* disagreement = "the ranks disagree on the number of fields, their dimensions or the options";

bool has_cells(const halo_field& field) {
  return std::all_of(field.halo.begin(), field.halo.begin() + field.dimensions,
                     [](const halo_descriptor& h) { return h.core() > 0; });
}

/// A field without cells may be a null pointer: nobody will touch it.
std::vector<void*> addresses(const std::vector<std::vector<halo_field>>& fields) {
  static std::byte nothing{};
  std::vector<void*> table;
  for (const auto& subdomain : fields)
    for (const auto& f : subdomain) table.push_back(f.data == nullptr && !has_cells(f) ? &nothing : f.data);
  return table;
}

/// Pointers may come later, with `start`; where all are there already they are the default.
exchange with_addresses(exchange bound, const std::vector<void*>& table) {
  if (!table.empty() && std::find(table.begin(), table.end(), nullptr) == table.end()) bound.set_fields(table);
  return bound;
}

exchange bind_halo(const communicator& comm, const std::function<halo_description()>& describe_all,
                   const halo_options& options, const std::vector<void*>& table) {
  schedule plan;
  collectively(comm, "halo_exchange", [&] {
    auto description = describe_all();
    description.stencil = options.stencil;
    description.order = options.snapshot ? halo_order::direct : options.order;
    description.accumulate = options.accumulate.has_value();
    plan = plan_halo(description, comm.rank());
  });
  return with_addresses(exchange(comm, std::move(plan), code_of(options), {options.transport, options.snapshot}),
                        table);
}

exchange bind_on_grid(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields) {
  const auto& comm = grid.comm();
  collectively(
      comm, "halo_exchange",
      [&] {
        check_fields(fields, options, comm.rank());
        axis_mapping(grid, fields.front().dimensions, options.axes);
      },
      fingerprint(fields, options), disagreement);
  const axis_mapping mapping(grid, fields.front().dimensions, options.axes);
  auto resolved = resolve_halos(grid, mapping, fields);
  const bool member = grid.contains(comm.rank());
  const auto table = addresses({fields});
  return bind_halo(
      comm,
      [&] {
        halo_description d;
        d.cuts = std::move(resolved.cuts);
        d.wire_order = std::move(resolved.wire_order);
        if (member) d.subdomains = {d.cuts.front().number(mapping.place_of(comm.rank()))};
        d.fields = {std::move(fields)};  // outside the grid nothing moves, but `start` takes as many pointers
        return d;
      },
      options, table);
}

/// What all ranks must hold the same of a decomposition: sizes, periodicity, owners.
std::uint32_t fingerprint(const decomposition& cells) {
  std::uint32_t hash = 2166136261u;
  const auto add = [&hash](index_t part) { hash = (hash ^ static_cast<std::uint32_t>(part)) * 16777619u; };
  for (int a = 0; a < cells.dimensions(); ++a) {
    add(cells.periodic(a) ? 1 : 0);
    for (int p = 0; p < cells.pieces(a); ++p) add(cells.size(a, p));
  }
  for (int number = 0; number < cells.subdomains(); ++number) add(cells.owner(number));
  return hash;
}

void check_subdomains(const communicator& comm, const decomposition& cells, std::size_t owned,
                      const std::vector<std::vector<halo_field>>& fields, const halo_options& options) {
  if (owned != fields.size())
    throw error(error_kind::argument, "halo_exchange",
                text("fields of ", fields.size(), " subdomains were given, the rank owns ", owned), comm.rank());
  for (const auto& subdomain : fields) {
    check_fields(subdomain, options, comm.rank());
    if (subdomain.size() != fields.front().size() || subdomain.front().dimensions != cells.dimensions())
      throw error(error_kind::argument, "halo_exchange",
                  "the subdomains differ in their fields, or the fields from the decomposition in dimensions",
                  comm.rank());
  }
}

exchange bind_on_decomposition(const communicator& comm, const decomposition& cells, const halo_options& options,
                               std::vector<std::vector<halo_field>> fields) {
  halo_description d;
  collectively(
      comm, "halo_exchange",
      [&] {
        for (int number = 0; number < cells.subdomains(); ++number)
          if (cells.owner(number) == comm.rank()) d.subdomains.push_back(number);
        check_subdomains(comm, cells, d.subdomains.size(), fields, options);
      },
      fingerprint(cells) ^ fingerprint({}, options), "the ranks disagree on the decomposition or the options");
  const auto table = addresses(fields);
  d.cuts = {cells};
  d.wire_order = agree_on_fields(comm, cells.dimensions(), fields);
  d.fields = std::move(fields);
  return bind_halo(comm, [&] { return std::move(d); }, options, table);
}

/// In the order of the schedule's fields.
std::vector<halo_field> joined(const std::vector<std::vector<halo_field>>& fields) {
  std::vector<halo_field> all;
  for (const auto& subdomain : fields) all.insert(all.end(), subdomain.begin(), subdomain.end());
  return all;
}

}  // namespace

halo_exchange::halo_exchange(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields)
    : exchange_(bind_on_grid(grid, options, fields)), shapes_(std::move(fields)) {}

halo_exchange::halo_exchange(const communicator& comm, const decomposition& cells, const halo_options& options,
                             std::vector<std::vector<halo_field>> fields)
    : exchange_(bind_on_decomposition(comm, cells, options, fields)), shapes_(joined(fields)) {}

}  // namespace wherry
