#include "wherry/blocks/mover.hpp"

#include "wherry/core/settings.hpp"

#include "bind_plan.hpp"
#include "compare_entries.hpp"
#include "plan_motion.hpp"

namespace wherry {
namespace {

constexpr const char* where = "mover";

template <int N> bool endogenous(const array_shape<N>& source, std::size_t pointers) {
  return pointers == source.bytes.size();
}

template <int N>
terms terms_of(const array_shape<N>& source, const array_shape<N>& destination, const mover_options& how) {
  return terms([&](auto& say) {
    say(N, "the number of dimensions");
    say_options(how, say);
    const auto say_shape = [&say](const array_shape<N>& shape, const char* name) {
      say(shape.element, "the bytes of an element of ", name);
      say(shape.components, "the number of components of ", name);
      say(shape.plan->size(), "the number of boxes of ", name);
      for (std::size_t d = 0; d < N; ++d) say(shape.order.place[d], "the layout of ", name, " in dimension ", d);
    };
    say_shape(source, "the source");
    say_shape(destination, "the destination");
  });
}

}  // namespace

std::vector<void*> detail::field_table(std::span<void* const> source, std::span<void* const> destination) {
  std::vector<void*> table(source.begin(), source.end());
  if (source.data() != destination.data()) table.insert(table.end(), destination.begin(), destination.end());
  return table;
}

void mover::refuse(const shapes& given, const both_figures& figures) const {
  std::string problem;
  if (given.source != bound_.source)
    problem = "the source " + figures.source.difference_from(figures_.source);
  else if (given.destination != bound_.destination)
    problem = "the destination " + figures.destination.difference_from(figures_.destination);
  else
    problem = given.endogenous ? "they are one array, not two" : "they are two arrays, not one";
  throw error(error_kind::argument, where,
              "start was given arrays of other shapes than the mover was made for: " + problem,
              exchange_.comm().rank());
}

void mover::start_at(std::span<void* const> source, std::span<void* const> destination) {
  std::copy(source.begin(), source.end(), table_.begin());
  if (!bound_.endogenous) std::copy(destination.begin(), destination.end(), table_.end() - destination.size());
  exchange_.start(table_);
}

template <int N>
exchange bind_motion(const communicator& comm, const motion_builder<motion_plan<N>>& motions,
                     const array_shape<N>& source, const array_shape<N>& destination, std::span<void* const> table,
                     const mover_options& how) {
  const auto inspect = [&] {
    check_elements({source.element, destination.element, source.components, destination.components}, how, comm.rank());
    return plan_motion(motions, source, destination, endogenous(source, table.size()), how.update ? 0 : store,
                       how.packet_bytes, comm.rank());
  };
  auto bound = bind_plan(comm, inspect, terms_of(source, destination, how), table, how);
  if (current_settings().check) compare_entries(comm, motions.plan(comm.rank()), *source.plan, *destination.plan);
  return bound;
}

#define WHERRY_BIND_MOTION(N)                                                                                      \
  template exchange bind_motion(const communicator&, const motion_builder<motion_plan<N>>&, const array_shape<N>&, \
                                const array_shape<N>&, std::span<void* const>, const mover_options&);
WHERRY_BIND_MOTION(1)
WHERRY_BIND_MOTION(2)
WHERRY_BIND_MOTION(3)
WHERRY_BIND_MOTION(4)
WHERRY_BIND_MOTION(5)
WHERRY_BIND_MOTION(6)
#undef WHERRY_BIND_MOTION

}  // namespace wherry
