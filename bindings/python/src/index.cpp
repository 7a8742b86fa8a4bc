#include "index.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/index_exchange.hpp"
#include "wherry/halo/index_lists.hpp"

#include "bound_exchange.hpp"
#include "errors.hpp"
#include "options.hpp"

namespace wherry_python {
namespace {

/// The numbers of a contiguous array of 8-byte integers, which the modules in Python have made.
std::span<const std::int64_t> numbers_of(const held_array& held) {
  const auto shape = held.shape({}, {});
  return {reinterpret_cast<const std::int64_t*>(held.data()), static_cast<std::size_t>(shape.extents[0])};
}

wherry::index_lists from_ids(const wherry::communicator& comm, nb::handle mine, nb::handle ghosts) {
  require_no_child("index_halo");
  const held_array rows(mine, false, "index_halo", "'my_ids'"), externals(ghosts, false, "index_halo", "'ghost_ids'");
  const nb::gil_scoped_release others_run;
  return wherry::resolve_ids(comm, numbers_of(rows), numbers_of(externals));
}

wherry::index_lists from_owners(const wherry::communicator& comm, nb::handle owners, nb::handle there,
                                nb::handle here) {
  require_no_child("index_halo");
  const held_array of(owners, false, "index_halo", "'owners'"), at(there, false, "index_halo", "'index_there'"),
      to(here, false, "index_halo", "'index_here'");
  const auto a = numbers_of(of), b = numbers_of(at), c = numbers_of(to);
  std::vector<wherry::ghost> ghosts(a.size());
  for (std::size_t i = 0; i < ghosts.size(); ++i) ghosts[i] = {static_cast<int>(a[i]), b[i], c[i]};
  const nb::gil_scoped_release others_run;
  return wherry::resolve_ghosts(comm, ghosts);
}

nb::list shown(const std::vector<wherry::peer_indices>& lists) {
  nb::list result;
  for (const auto& one : lists) result.append(nb::make_tuple(one.peer, one.at));
  return result;
}

/// The arrays and options of an exchange, made locally.
struct index_request {
  wherry::index_options options;
  std::vector<wherry::detail::index_field> fields;
  bound_exchange::parts parts;

  index_request(const nb::list& given, bool reverse, const std::string& update, const std::string& combine_copies,
                const nb::dict& carry) {
    constexpr auto where = "index_halo";
    options.reverse = reverse;
    options.update = operation_named(update, where);
    options.combine_copies = operation_named(combine_copies, where);
    options.carry = carry_of(carry, where);
    parts.name = where;
    for (std::size_t i = 0; i < given.size(); ++i) {
      kept_array kept(given[i], true, nullptr, where, i);
      const auto shape = kept.shape(where);
      for (const auto& part : components_of(shape, 1, shape.dimensions - 1)) {
        fields.push_back({.name = std::to_string(i),
                          .data = kept.data() + part.offset,
                          .element = part.element,
                          .stride = shape.extents[0] > 1 ? shape.strides[0] : part.element,
                          .count = shape.extents[0],
                          .type = shape.type});
        parts.fields.push_back({i, part.offset});
      }
      parts.shapes.push_back(shape);
      parts.written.push_back(true);
      parts.first.push_back(std::move(kept));
    }
  }
};

std::unique_ptr<bound_exchange> make_index(const wherry::communicator& comm, const wherry::index_lists& lists,
                                           index_request& request) {
  require_no_child("index_halo");
  std::shared_ptr<wherry::index_exchange> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::make_shared<wherry::index_exchange>(comm, lists, request.options, std::move(request.fields));
  }
  return std::make_unique<bound_exchange>(std::move(made), std::move(request.parts));
}

}  // namespace

void bind_index(nb::module_& m) {
  nb::class_<wherry::index_lists>(m, "IndexLists")
      .def_prop_ro("sends", [](const wherry::index_lists& self) { return shown(self.sends); })
      .def_prop_ro("receives", [](const wherry::index_lists& self) { return shown(self.receives); });
  m.def("lists_from_ids", &from_ids, nb::arg("comm"), nb::arg("mine"), nb::arg("ghosts"));
  m.def("lists_from_owners", &from_owners, nb::arg("comm"), nb::arg("owners"), nb::arg("there"), nb::arg("here"));
  nb::class_<index_request>(m, "IndexRequest")
      .def(nb::init<const nb::list&, bool, const std::string&, const std::string&, const nb::dict&>(),
           nb::arg("arrays"), nb::arg("reverse"), nb::arg("update"), nb::arg("combine_copies"), nb::arg("carry"));
  m.def("make_index", &make_index, nb::arg("comm"), nb::arg("lists"), nb::arg("request"));
}

}  // namespace wherry_python
