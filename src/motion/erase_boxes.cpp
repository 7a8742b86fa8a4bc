#include <utility>

#include "wherry/motion/movement.hpp"

#include "compare_entries.hpp"
#include "plan_motion.hpp"

namespace wherry::detail {
namespace {

template <int N> array_facts facts_of(const array_shape<N>& shape) {
  array_facts result{.element = shape.element,
                     .type = shape.type,
                     .components = shape.components,
                     .name = shape.name,
                     .space = shape.space,
                     .bytes = shape.bytes,
                     .dimensions = N,
                     .boxes = shape.plan->size()};
  std::copy(shape.order.place.begin(), shape.order.place.end(), result.layout.begin());
  return result;
}

}  // namespace

template <int N>
erased_motion erase(std::vector<motion_builder<motion_plan<N>>> stages, const array_shape<N>& source,
                    const array_shape<N>& destination) {
  erased_motion result{facts_of(source), facts_of(destination), stages.size()};
  result.inspect = [stages, &source, &destination](std::size_t stage, const inspection& where) {
    motion_inspector<N>({{&source, &destination, where}}).run(stages[stage]);
  };
  result.compare = [stages, &source, &destination](std::size_t stage, const communicator& comm) {
    compare_entries(comm, stages[stage].plan(comm.rank()), *source.plan, *destination.plan);
  };
  return result;
}

#define WHERRY_ERASE(N)                                                                            \
  template erased_motion erase(std::vector<motion_builder<motion_plan<N>>>, const array_shape<N>&, \
                               const array_shape<N>&);
WHERRY_ERASE(1)
WHERRY_ERASE(2)
WHERRY_ERASE(3)
WHERRY_ERASE(4)
WHERRY_ERASE(5)
WHERRY_ERASE(6)
#undef WHERRY_ERASE

}  // namespace wherry::detail
