#include <utility>

#include "wherry/motion/movement.hpp"

#include "compare_entries.hpp"
#include "plan_motion.hpp"
#include "staged_motions.hpp"

namespace wherry {
namespace detail {
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

}  // namespace detail

template <int N>
detail::erased_motion erase_alike(std::vector<motion_builder<motion_plan<N>>> stages,
                                  std::span<const detail::array_shape<N>> arrays) {
  const auto facts = detail::facts_of(arrays.front());
  detail::erased_motion result{facts, facts, stages.size()};
  result.inspect = [stages = std::move(stages), arrays](std::size_t stage, const detail::inspection& first) {
    std::vector<motion_sides<N>> alike;
    alike.reserve(arrays.size());
    auto where = first;
    for (const auto& array : arrays) {
      alike.push_back({&array, &array, where});
      ++where.source_field;
      ++where.destination_field;
      ++where.number;
    }
    motion_inspector<N>(alike).run(stages[stage]);
  };
  return result;
}

#define WHERRY_ERASE(N)                                                                                       \
  template detail::erased_motion detail::erase(std::vector<motion_builder<motion_plan<N>>>,                   \
                                               const detail::array_shape<N>&, const detail::array_shape<N>&); \
  template detail::erased_motion erase_alike(std::vector<motion_builder<motion_plan<N>>>,                     \
                                             std::span<const detail::array_shape<N>>);
WHERRY_ERASE(1)
WHERRY_ERASE(2)
WHERRY_ERASE(3)
WHERRY_ERASE(4)
WHERRY_ERASE(5)
WHERRY_ERASE(6)
#undef WHERRY_ERASE

}  // namespace wherry
