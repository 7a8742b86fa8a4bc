#include "wherry/halo/halo_exchange.hpp"

#include <algorithm>
#include <functional>

#include "wherry/core/mpi.hpp"

#include "arrival.hpp"
#include "core/terms.hpp"
#include "resolve.hpp"

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

void check_fields(const std::vector<halo_field>& fields, const halo_options& options, int rank) {
  if (fields.empty()) throw error(error_kind::argument, "halo_exchange", "there are no fields", rank);
  for (const auto& f : fields) {
    check_halo_field(f, rank);
    if (f.dimensions != fields.front().dimensions)
      throw error(error_kind::argument, "halo_exchange",
                  text("fields have ", fields.front().dimensions, " and ", f.dimensions, " dimensions"), rank);
    if (options.update && f.element % static_cast<index_t>(options.update->element) != 0)
      throw error(error_kind::argument, "halo_exchange",
                  text("the reduction '", options.update->name, "' works on elements of ", options.update->element,
                       " bytes, the field has elements of ", f.element),
                  rank);
  }
}

template <class Say> void say_options(const halo_options& options, Say& say) {
  const auto list = [](const auto& numbers) {
    std::string all;
    for (const int n : numbers) all += text(all.empty() ? "" : " ", n);
    return all;
  };
  say(list(options.axes), "'axes'");
  say(name_of(options.order), "'order'");
  say(static_cast<int>(options.stencil.kind), "the kind of 'stencil'");
  say(options.stencil.listed.size(), "the number of directions of 'stencil'");
  for (std::size_t i = 0; i < options.stencil.listed.size(); ++i)
    say(list(options.stencil.listed[i]), "direction ", i, " of 'stencil'");
  say(options.reverse, "'reverse'");
  say(options.update.has_value(), "whether there is an 'update'");
  say(options.carry.snapshot, "'snapshot'");
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
  auto code = code_of(options.update);
  collectively(comm, "halo_exchange", [&] {
    auto description = describe_all();
    description.stencil = options.stencil;
    description.order = options.carry.snapshot ? halo_order::direct : options.order;
    description.reverse = options.reverse;
    description.operation = operation_of(options.update);
    plan = plan_halo(description, comm.rank());
    if (options.reverse) check_reverse(plan, code, comm.rank());
  });
  return with_addresses(exchange(comm, std::move(plan), std::move(code), options.carry), table);
}

exchange bind_on_grid(const process_grid& grid, const halo_options& options, std::vector<halo_field> fields) {
  const auto& comm = grid.comm();
  collectively_on(terms_of(fields, options), comm, "halo_exchange", [&] {
    check_fields(fields, options, comm.rank());
    axis_mapping(grid, fields.front().dimensions, options.axes);
  });
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

terms terms_of(const decomposition& cells, const halo_options& options) {
  return terms([&](auto& say) {
    say(cells.dimensions(), "the number of dimensions");
    for (int a = 0; a < cells.dimensions(); ++a) {
      say(cells.periodic(a), "the periodicity of dimension ", a);
      say(cells.pieces(a), "the number of pieces along dimension ", a);
      for (int p = 0; p < cells.pieces(a); ++p) say(cells.size(a, p), "the cells of piece ", p, " along dimension ", a);
    }
    for (int number = 0; number < cells.subdomains(); ++number)
      say(cells.owner(number), "the owner of subdomain ", number);
    say_options(options, say);
  });
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
  collectively_on(terms_of(cells, options), comm, "halo_exchange", [&] {
    for (int number = 0; number < cells.subdomains(); ++number)
      if (cells.owner(number) == comm.rank()) d.subdomains.push_back(number);
    check_subdomains(comm, cells, d.subdomains.size(), fields, options);
  });
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
