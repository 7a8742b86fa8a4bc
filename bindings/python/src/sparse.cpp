#include "sparse.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/sparse/plan.hpp"
#include "wherry/sparse/send_to.hpp"

#include "arrays.hpp"
#include "bound_exchange.hpp"
#include "errors.hpp"
#include "options.hpp"

namespace wherry_python {
namespace {

using wherry::detail::byte_exchange;
using wherry::detail::sparse_elements;
using wherry::detail::sparse_form;

/// The elements that have arrived, as bytes.
struct arrived_bytes {
  std::vector<std::byte> all;
  std::vector<int> ranks;
  std::vector<std::size_t> offsets;  // in elements
  std::size_t element = 1;
};

/// An exchange under way.
struct flight {
  std::shared_ptr<arrived_bytes> lists;
  byte_exchange exchange;
  bool taken = false;

  ~flight() {
    if (is_in_child()) new byte_exchange(std::move(exchange));
  }
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  flight(byte_exchange packed, std::size_t element)
      : lists(std::make_shared<arrived_bytes>()), exchange(std::move(packed)) {
    lists->element = element;
    wherry::detail::sparse_target target;
    target.lists = lists;
    target.ranks = &lists->ranks;
    target.offsets = &lists->offsets;
    target.resize = [](void* to, std::size_t elements) {
      auto& list = *static_cast<arrived_bytes*>(to);
      list.all.resize(elements * list.element);
      return list.all.data();
    };
    exchange.start(target);
  }
};

template <class T> nb::object array_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  auto* const data = kept->data();
  const std::size_t count = kept->size();
  const nb::capsule owner(kept.release(), [](void* made) noexcept { delete static_cast<std::vector<T>*>(made); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {count}, owner));
}
nb::object array_of(std::vector<std::byte> values) {
  auto kept = std::make_unique<std::vector<std::byte>>(std::move(values));
  auto* const data = reinterpret_cast<std::uint8_t*>(kept->data());
  const std::size_t count = kept->size();
  const nb::capsule owner(kept.release(),
                          [](void* made) noexcept { delete static_cast<std::vector<std::byte>*>(made); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {count}, owner));
}

/// An array whose rows are elements, all bytes of a row one behind the other.
struct element_rows {
  held_array held;
  std::size_t count = 0, bytes = 0;
  wherry::plans::element_type type{};

  element_rows(nb::handle array, std::string_view where, std::string_view argument)
      : held(array, false, where, argument) {
    const auto shape = held.shape(where, argument);
    count = static_cast<std::size_t>(shape.extents[0]);
    bytes = static_cast<std::size_t>(shape.item);
    type = shape.type;
    for (std::size_t d = 1; d < shape.dimensions; ++d) bytes *= static_cast<std::size_t>(shape.extents[d]);
  }
};

/// Packs values for one destination each. The values are contiguous; the modules in Python have seen to it.
std::unique_ptr<flight> send_to(const wherry::communicator& comm, nb::handle owners, nb::handle values,
                                const std::string& algorithm, bool blocking) {
  require_no_child("send_to");
  const held_array destinations(owners, false, "send_to", "'owners'");
  const element_rows given(values, "send_to", "'values'");
  const auto count = static_cast<std::size_t>(destinations.shape({}, {}).extents[0]);
  const std::span<const int> to(reinterpret_cast<const int*>(destinations.data()), count);
  const wherry::sparse_options options{.algorithm = algorithm};
  const nb::gil_scoped_release others_run;
  byte_exchange packed(comm, "send_to", sparse_elements{given.type, given.bytes}, options,
                       blocking ? sparse_form::blocking : sparse_form::started);
  packed.count(to, given.count);
  if (auto* const room = packed.room()) {
    auto* const places = packed.places().data();
    for (std::size_t i = 0; i < given.count; ++i) {
      auto& place = places[to[i]];
      std::memcpy(room + place, given.held.data() + i * given.bytes, given.bytes);
      place += given.bytes;
    }
  }
  auto result = std::make_unique<flight>(std::move(packed), given.bytes);
  if (blocking) result->exchange.wait();
  return result;
}

/// Packs one array for each of some ranks. All have the same element.
std::unique_ptr<flight> parcels(const wherry::communicator& comm, const std::vector<int>& to, const nb::list& arrays,
                                std::size_t bytes, nb::handle example, const std::string& algorithm, bool blocking) {
  require_no_child("sparse_exchange");
  const element_rows first(example, "sparse_exchange", "'dtype'");
  std::vector<element_rows> given;
  given.reserve(arrays.size());
  for (const auto& one : arrays) given.emplace_back(one, "sparse_exchange", "a parcel");
  const wherry::sparse_options options{.algorithm = algorithm};
  const nb::gil_scoped_release others_run;
  byte_exchange packed(comm, "sparse_exchange", sparse_elements{first.type, bytes}, options,
                       blocking ? sparse_form::blocking : sparse_form::started);
  for (std::size_t i = 0; i < to.size(); ++i) packed.count(to[i], given[i].count);
  if (packed.room() != nullptr)
    for (std::size_t i = 0; i < to.size(); ++i) packed.pack(to[i], given[i].held.data(), given[i].count);
  auto result = std::make_unique<flight>(std::move(packed), bytes);
  if (blocking) result->exchange.wait();
  return result;
}

nb::tuple taken(flight& from) {
  require_no_child("wait");
  {
    const nb::gil_scoped_release others_run;
    from.exchange.wait();
  }
  if (from.taken)
    throw wherry::error(wherry::error_kind::state, "wait", "what has arrived was taken before by another 'wait'");
  from.taken = true;
  auto& lists = *from.lists;
  std::vector<std::int64_t> offsets(lists.offsets.begin(), lists.offsets.end());
  return nb::make_tuple(array_of(std::move(lists.all)), array_of(std::move(lists.ranks)), array_of(std::move(offsets)));
}

/// A pattern that is found once.
struct found_pattern {
  wherry::communicator comm;
  wherry::detail::sparse_pattern pattern;

  found_pattern(const wherry::communicator& of, nb::handle owners, const std::string& algorithm) : comm(of) {
    const held_array destinations(owners, false, "sparse_plan", "'owners'");
    const auto count = static_cast<std::size_t>(destinations.shape({}, {}).extents[0]);
    const std::span<const int> to(reinterpret_cast<const int*>(destinations.data()), count);
    const nb::gil_scoped_release others_run;
    pattern = wherry::detail::find_pattern(comm, to, {.algorithm = algorithm});
  }
};

/// A bound pattern that only has an exchange.
class only_exchange : public wherry::bound_pattern {
 public:
  explicit only_exchange(wherry::exchange bound) : bound_pattern(std::move(bound)) {}
};

/// Binds the exchange along a pattern, or back: of arrays that leave and arrays that arrive.
std::unique_ptr<bound_exchange> bind_pattern(const found_pattern& along, bool back, nb::handle leaving,
                                             nb::handle arriving, const nb::dict& carry) {
  require_no_child("sparse_plan");
  bound_exchange::parts parts;
  parts.name = back ? "answer" : "sparse_plan";
  parts.first.emplace_back(leaving, false, nullptr, parts.name, 0);
  parts.first.emplace_back(arriving, true, nullptr, parts.name, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    parts.shapes.push_back(parts.first[i].shape(parts.name));
    parts.written.push_back(i == 1);
    parts.fields.push_back({i, 0});
  }
  const element_rows each(leaving, parts.name, "array 0");
  const auto how = carry_of(carry, parts.name);
  std::shared_ptr<only_exchange> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::make_shared<only_exchange>(
        wherry::detail::bind_pattern(along.comm, along.pattern, back, sparse_elements{each.type, each.bytes}, how));
  }
  parts.first.clear();
  return std::make_unique<bound_exchange>(std::move(made), std::move(parts));
}

}  // namespace

void bind_sparse(nb::module_& m) {
  nb::class_<flight>(m, "Flight")
      .def("test",
           [](flight& self) {
             require_no_child("test");
             const nb::gil_scoped_release others_run;
             return self.exchange.test();
           })
      .def("take", &taken)
      .def_prop_ro("algorithm", [](const flight& self) { return std::string(self.exchange.algorithm()); });
  m.def("send_to", &send_to, nb::arg("comm"), nb::arg("owners"), nb::arg("values"), nb::arg("algorithm"),
        nb::arg("blocking"));
  m.def("parcels", &parcels, nb::arg("comm"), nb::arg("to"), nb::arg("arrays"), nb::arg("bytes"), nb::arg("example"),
        nb::arg("algorithm"), nb::arg("blocking"));
  nb::class_<found_pattern>(m, "SparsePattern")
      .def(nb::init<const wherry::communicator&, nb::handle, const std::string&>(), nb::arg("comm"), nb::arg("owners"),
           nb::arg("algorithm"))
      .def_prop_ro("sources", [](const found_pattern& self) { return self.pattern.sources; })
      .def_prop_ro("offsets", [](const found_pattern& self) { return self.pattern.offsets; })
      .def_prop_ro("leaving", [](const found_pattern& self) { return self.pattern.destinations.size(); })
      .def_prop_ro("arriving", [](const found_pattern& self) { return self.pattern.arriving; })
      .def("bind", &bind_pattern, nb::arg("back"), nb::arg("leaving"), nb::arg("arriving"), nb::arg("carry"));
}

}  // namespace wherry_python
