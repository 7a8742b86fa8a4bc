#include "halo.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

#include "bound_exchange.hpp"
#include "errors.hpp"
#include "field.hpp"
#include "grid.hpp"
#include "options.hpp"

namespace wherry_python {

wherry::halo_field field_base::described(const component& part) const {
  wherry::halo_field result;
  result.name = name;
  result.data = held.data() + part.offset;
  result.element = part.element;
  result.type = shape.type;
  result.dimensions = static_cast<int>(grid_dimensions);
  const auto first = first_dimension();
  for (std::size_t d = 0; d < grid_dimensions; ++d) {
    const auto length = shape.extents[first + d];
    result.halo[d] = {minus[d], plus[d], minus[d], length - plus[d] - 1, length};
    result.stride[d] = shape.strides[first + d];
    result.on_planes[d] = on_planes[d];
  }
  return result;
}

namespace {

wherry::stencil_shape stencil_of(const nb::object& given) {
  if (nb::isinstance<nb::str>(given)) {
    const auto name = nb::cast<std::string>(given);
    if (name == "all") return wherry::stencil_shape::all();
    if (name == "faces") return wherry::stencil_shape::faces();
    refuse("halo", "'stencil' is '", name, "', expected 'all', 'faces' or a list of directions");
  }
  std::vector<wherry::cell_direction> listed;
  for (const auto& one : nb::cast<std::vector<std::vector<int>>>(given)) {
    auto& direction = listed.emplace_back();
    if (one.size() > direction.size()) refuse("halo", "a direction in 'stencil' has ", one.size(), " numbers");
    for (std::size_t d = 0; d < one.size(); ++d) {
      if (one[d] < -1 || one[d] > 1)
        refuse("halo", "a direction in 'stencil' has the number ", one[d], ", expected -1, 0 or 1");
      direction[d] = one[d];
    }
  }
  return wherry::stencil_shape::only(std::move(listed));
}

wherry::halo_order order_named(const std::string& name) {
  if (name == "automatic") return wherry::halo_order::automatic;
  if (name == "direct") return wherry::halo_order::direct;
  if (name == "wrapped_last") return wherry::halo_order::wrapped_last;
  if (name == "by_dimension") return wherry::halo_order::by_dimension;
  refuse("halo", "'order' is '", name, "', expected 'automatic', 'direct', 'wrapped_last' or 'by_dimension'");
}

/// The options and the fields of an exchange, made locally, so that an error of one rank can become one of all.
struct halo_request {
  using corner = std::vector<wherry::index_t>;

  wherry::halo_options options;
  std::vector<wherry::halo_field> fields;
  bound_exchange::parts parts;

  halo_request(const nb::list& given, const nb::object& stencil, const std::string& order, bool reverse,
               const std::string& update, const std::string& combine_copies,
               const std::vector<std::pair<corner, corner>>& boxes, const nb::dict& carry) {
    for (const auto& [lower, upper] : boxes)
      options.parts.push_back(with_dimensions(lower.size(), "halo", [&]<int N>() {
        wherry::box<N> cells;
        for (std::size_t d = 0; d < N; ++d) {
          cells.lower[d] = lower[d];
          cells.upper[d] = upper.at(d);
        }
        return wherry::halo_part(cells);
      }));
    options.stencil = stencil_of(stencil);
    options.order = order_named(order);
    options.reverse = reverse;
    options.update = operation_named(update, "halo");
    options.combine_copies = operation_named(combine_copies, "halo");
    options.carry = carry_of(carry, "halo");
    parts.name = "halo";
    for (std::size_t i = 0; i < given.size(); ++i) {
      kept_array kept(given[i], true, nullptr, "halo", i);
      const auto& field = *nb::cast<const field_base*>(given[i]);
      parts.shapes.push_back(field.shape);
      parts.written.push_back(true);
      parts.first.push_back(std::move(kept));
      const auto components = field.components();
      for (const auto& part : components) {
        fields.push_back(field.described(part));
        if (fields.back().name.empty()) fields.back().name = std::to_string(i);
        if (components.size() > 1) fields.back().name += '.' + std::to_string(&part - components.data());
        parts.fields.push_back({i, part.offset});
      }
    }
  }
};

std::unique_ptr<bound_exchange> make_halo(const wherry::process_grid& grid, halo_request& request) {
  require_no_child("halo");
  std::shared_ptr<wherry::halo_exchange> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::make_shared<wherry::halo_exchange>(grid, request.options, std::move(request.fields));
  }
  request.parts.halo = made;
  return std::make_unique<bound_exchange>(std::move(made), std::move(request.parts));
}

}  // namespace

void bind_halo(nb::module_& m) {
  nb::class_<field_base>(m, "FieldBase")
      .def(
          "__init__",
          [](field_base* self, nb::handle array, std::size_t dimensions, const std::vector<wherry::index_t>& minus,
             const std::vector<wherry::index_t>& plus, const std::vector<bool>& on_planes, bool components_first,
             const std::string& name) {
            held_array held(array, true, "field", "'array'");
            auto shape = held.shape("field", "'array'");
            new (self) field_base{.held = std::move(held),
                                  .shape = std::move(shape),
                                  .grid_dimensions = dimensions,
                                  .components_first = components_first,
                                  .name = name};
            for (std::size_t d = 0; d < dimensions; ++d) {
              self->minus[d] = minus[d];
              self->plus[d] = plus[d];
              self->on_planes[d] = on_planes[d];
            }
          },
          nb::arg("array"), nb::arg("dimensions"), nb::arg("minus"), nb::arg("plus"), nb::arg("on_planes"),
          nb::arg("components_first"), nb::arg("name"));
  nb::class_<halo_request>(m, "HaloRequest")
      .def(
          nb::init<const nb::list&, const nb::object&, const std::string&, bool, const std::string&, const std::string&,
                   const std::vector<std::pair<halo_request::corner, halo_request::corner>>&, const nb::dict&>(),
          nb::arg("fields"), nb::arg("stencil"), nb::arg("order"), nb::arg("reverse"), nb::arg("update"),
          nb::arg("combine_copies"), nb::arg("parts"), nb::arg("carry"));
  m.def("from_dlpack", [](nb::handle object) {
    auto imported = from_dlpack(object);
    return imported.is_valid() ? imported : nb::none();
  });
  m.def("make_halo", &make_halo, nb::arg("grid"), nb::arg("request"));
}

}  // namespace wherry_python
