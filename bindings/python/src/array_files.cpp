#include "array_files.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/blocks/array_series.hpp"
#include "wherry/blocks/saved_array.hpp"

#include "distributed_array.hpp"
#include "errors.hpp"

namespace wherry_python {
namespace {

constexpr std::string_view in_file = "array_file";

/// A series, which may be written to by the ranks of a communicator.
struct open_series {
  wherry::array_series series;

  open_series(const wherry::communicator& comm, const std::string& path)
      : series([&] {
          require_no_child(in_file);
          const nb::gil_scoped_release others_run;
          return wherry::array_series(comm, path);
        }()) {}
};

nb::list entries_of(const std::vector<wherry::array_series::entry>& entries) {
  nb::list result;
  for (const auto& one : entries) result.append(nb::make_tuple(one.name, one.step, one.begin, one.bytes));
  return result;
}

/// Reads a box without MPI: a list of (lower, upper, bytes) of its pieces.
nb::list pieces_of(const wherry::saved_array& from, std::size_t place) {
  nb::list result;
  from.read(place, [&](const wherry::saved_array::saved_box& piece, std::span<const std::byte> cells) {
    result.append(
        nb::make_tuple(piece.lower, piece.upper, nb::bytes(reinterpret_cast<const char*>(cells.data()), cells.size())));
  });
  return result;
}

void bind_saved_arrays(nb::module_& m) {
  nb::class_<wherry::saved_array>(m, "SavedArray")
      .def(nb::init<const std::string&, wherry::index_t, wherry::index_t>(), nb::arg("path"), nb::arg("begin"),
           nb::arg("bytes"))
      .def_prop_ro("dimensions", [](const wherry::saved_array& self) { return self.facts().dimensions; })
      .def_prop_ro("components", [](const wherry::saved_array& self) { return self.facts().components; })
      .def_prop_ro("element", [](const wherry::saved_array& self) { return self.facts().element; })
      .def_prop_ro("type", [](const wherry::saved_array& self) { return self.facts().type; })
      .def_prop_ro("boxes",
                   [](const wherry::saved_array& self) {
                     nb::list result;
                     for (const auto& one : self.boxes())
                       result.append(nb::make_tuple(one.number, one.lower, one.upper));
                     return result;
                   })
      .def("pieces", &pieces_of, nb::arg("place"));
  m.def(
      "saved_series", [](const std::string& path) { return entries_of(wherry::arrays_in_series(path)); },
      nb::arg("path"));
}

}  // namespace

void bind_array_files(nb::module_& m) {
  nb::class_<distributed_shape>(m, "DistributedShape")
      .def(
          "__init__",
          [](distributed_shape* self,
             std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> boxes,
             std::vector<int> owners, std::vector<std::int64_t> minus, std::vector<std::int64_t> plus,
             std::vector<bool> on_planes, std::int64_t components, std::string type) {
            new (self) distributed_shape{std::move(boxes),     std::move(owners), std::move(minus), std::move(plus),
                                         std::move(on_planes), components,        std::move(type)};
          },
          nb::arg("boxes"), nb::arg("owners"), nb::arg("minus"), nb::arg("plus"), nb::arg("on_planes"),
          nb::arg("components"), nb::arg("type"));
  nb::class_<open_series>(m, "OpenSeries")
      .def(nb::init<const wherry::communicator&, const std::string&>(), nb::arg("comm"), nb::arg("path"))
      .def_prop_ro("entries", [](const open_series& self) { return entries_of(self.series.entries()); });
  nb::class_<distributed_array>(m, "DistributedArray")
      .def(
          "write",
          [](const distributed_array& self, const std::string& path) {
            require_no_child(in_file);
            const nb::gil_scoped_release others_run;
            self.write(path);
          },
          nb::arg("path"))
      .def(
          "read",
          [](distributed_array& self, const std::string& path) {
            require_no_child(in_file);
            const nb::gil_scoped_release others_run;
            return self.read(path);
          },
          nb::arg("path"))
      .def(
          "write_to",
          [](const distributed_array& self, open_series& to, const std::string& name, std::int64_t step) {
            require_no_child(in_file);
            const nb::gil_scoped_release others_run;
            self.write(to.series, name, step);
          },
          nb::arg("series"), nb::arg("name"), nb::arg("step"))
      .def(
          "read_from",
          [](distributed_array& self, const open_series& from, const std::string& name, std::int64_t step) {
            require_no_child(in_file);
            const nb::gil_scoped_release others_run;
            return self.read(from.series, name, step);
          },
          nb::arg("series"), nb::arg("name"), nb::arg("step"));
  m.def("distributed_array", &make_distributed_array, nb::arg("comm"), nb::arg("shape"), nb::arg("arrays"),
        nb::arg("written"));
  bind_saved_arrays(m);
}

}  // namespace wherry_python
