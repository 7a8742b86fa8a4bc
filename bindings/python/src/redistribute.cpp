#include "redistribute.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/plan/block.hpp"
#include "wherry/plan/schedule_builder.hpp"
#include "wherry/transport/bound_pattern.hpp"

#include "bound_exchange.hpp"
#include "errors.hpp"
#include "options.hpp"

namespace wherry_python {
namespace {

using numbers = std::vector<std::int64_t>;

/// A section that travels: the other rank, two numbers by which both sides sort, the array, the section's first element
/// and its extents. Dimensions of the array beyond the section's are taken whole.
using section = std::tuple<int, std::uint64_t, std::uint64_t, std::size_t, numbers, numbers>;

class only_exchange : public wherry::bound_pattern {
 public:
  explicit only_exchange(wherry::exchange bound) : bound_pattern(std::move(bound)) {}
};

wherry::plans::block block_of(const array_shape& shape, std::int32_t field, const numbers& first,
                              const numbers& extents) {
  std::int64_t offset = 0;
  numbers counts, strides;
  // The last dimension varies fastest on the wire, whatever the arrays' strides are.
  for (std::size_t d = shape.dimensions; d-- > 0;) {
    counts.push_back(d < extents.size() ? extents[d] : shape.extents[d]);
    strides.push_back(shape.strides[d]);
    if (d < first.size()) offset += first[d] * shape.strides[d];
  }
  return wherry::plans::strided_block(field, shape.item, offset, counts, strides);
}

/// Arrays that are sent from come first, then those that are received into.
struct motion_request {
  wherry::plans::schedule plan;
  wherry::carry_options carry;
  bound_exchange::parts parts;

  motion_request(const wherry::communicator& comm, const nb::list& from, const nb::list& into,
                 const std::vector<section>& sends, const std::vector<section>& receives, const nb::dict& how,
                 const std::string& where) {
    carry = carry_of(how, where);
    parts.name = where;
    wherry::plans::schedule_builder builder(where, comm.rank());
    std::vector<std::int32_t> fields;
    const auto add = [&](nb::handle array, bool written) {
      const std::size_t number = parts.shapes.size();
      kept_array kept(array, written, nullptr, where, number);
      const auto shape = kept.shape(where);
      std::int64_t lowest = 0, highest = shape.empty() ? 0 : shape.item;
      for (std::size_t d = 0; d < shape.dimensions && !shape.empty(); ++d) {
        const auto reach = (shape.extents[d] - 1) * shape.strides[d];
        (reach < 0 ? lowest : highest) += reach;
      }
      fields.push_back(builder.add_field({.name = std::to_string(number),
                                          .element = shape.item,
                                          .lowest = lowest,
                                          .highest = highest,
                                          .type = shape.type}));
      parts.fields.push_back({number, 0});
      parts.shapes.push_back(shape);
      parts.written.push_back(written);
      parts.first.push_back(std::move(kept));
    };
    for (const auto& one : from) add(one, false);
    for (const auto& one : into) add(one, true);
    for (const auto& [peer, first, second, array, begin, extents] : sends)
      builder.send(peer, block_of(parts.shapes.at(array), fields.at(array), begin, extents), {first, second});
    for (const auto& [peer, first, second, array, begin, extents] : receives)
      builder.receive(peer,
                      block_of(parts.shapes.at(from.size() + array), fields.at(from.size() + array), begin, extents),
                      {first, second});
    plan = builder.finish();
  }
};

std::unique_ptr<bound_exchange> make_motion(const wherry::communicator& comm, motion_request& request) {
  require_no_child(request.parts.name);
  std::shared_ptr<only_exchange> made;
  {
    const nb::gil_scoped_release others_run;
    made = std::make_shared<only_exchange>(wherry::exchange(comm, std::move(request.plan), {}, request.carry));
  }
  auto result = std::make_unique<bound_exchange>(std::move(made), std::move(request.parts));
  return result;
}

}  // namespace

void bind_redistribute(nb::module_& m) {
  nb::class_<motion_request>(m, "MotionRequest")
      .def(nb::init<const wherry::communicator&, const nb::list&, const nb::list&, const std::vector<section>&,
                    const std::vector<section>&, const nb::dict&, const std::string&>(),
           nb::arg("comm"), nb::arg("sources"), nb::arg("targets"), nb::arg("sends"), nb::arg("receives"),
           nb::arg("carry"), nb::arg("where"));
  m.def("make_motion", &make_motion, nb::arg("comm"), nb::arg("request"));
}

}  // namespace wherry_python
