#include <algorithm>
#include <cstdint>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/motion/movement.hpp"

#include "compare_entries.hpp"
#include "plan_motion.hpp"
#include "staged_motions.hpp"

namespace wherry {
namespace detail {
namespace {

/// A text such as "(0, 0) to (10, 10), of rank 1".
template <int N> std::string words_for(const box<N>& cells, int owner) {
  const auto corner = [](const point<N>& at) {
    std::string all;
    for (const index_t x : at) all += text(all.empty() ? "(" : ", ", x);
    return all + ")";
  };
  return text(corner(cells.lower), " to ", corner(cells.upper), ", of rank ", owner);
}

template <int N> array_facts facts_of(const array_shape<N>& shape) {
  array_facts result{.element = shape.element,
                     .type = shape.type,
                     .components = shape.components,
                     .name = shape.name,
                     .space = shape.space,
                     .bytes = shape.bytes,
                     .dimensions = N,
                     .boxes = shape.plan->size()};
  std::copy(shape.layout.place.begin(), shape.layout.place.end(), result.layout.begin());
  return result;
}

/// The facts of an array, with those of the floor plan that must be the same on all ranks.
template <int N> array_facts facts_with_floor(const array_shape<N>& shape) {
  auto result = facts_of(shape);
  result.floor = shape.plan->fingerprint();
  result.parts_of_floor = [plan = *shape.plan] {
    std::vector<std::pair<std::string, std::string>> all;
    for (int number = 0; plan.complete() && number < plan.size(); ++number)
      all.emplace_back(text("box ", number), words_for(plan[number], plan.owner(number)));
    return all;
  };
  return result;
}

template <int N> std::uint64_t word_of(const std::vector<plans::motion_builder<motion_plan<N>>>& stages) {
  shape_hash all;
  for (const auto& stage : stages) all.add(stage.word());
  return all.value();
}

}  // namespace

template <int N>
erased_motion erase(std::vector<plans::motion_builder<motion_plan<N>>> stages, const array_shape<N>& source,
                    const array_shape<N>& destination) {
  erased_motion result{facts_with_floor(source), facts_with_floor(destination), stages.size(), word_of(stages)};
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
detail::erased_motion erase_alike(std::vector<plans::motion_builder<motion_plan<N>>> stages,
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
  template detail::erased_motion detail::erase(std::vector<plans::motion_builder<motion_plan<N>>>,            \
                                               const detail::array_shape<N>&, const detail::array_shape<N>&); \
  template detail::erased_motion erase_alike(std::vector<plans::motion_builder<motion_plan<N>>>,              \
                                             std::span<const detail::array_shape<N>>);
WHERRY_ERASE(1)
WHERRY_ERASE(2)
WHERRY_ERASE(3)
WHERRY_ERASE(4)
WHERRY_ERASE(5)
WHERRY_ERASE(6)
#undef WHERRY_ERASE

}  // namespace wherry
