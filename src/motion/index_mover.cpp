#include "wherry/motion/index_mover.hpp"

#include <cstdint>
#include <utility>

#include "index_motion.hpp"

namespace wherry::detail {
namespace {

array_facts facts_of(const index_array_shape& shape, std::uint64_t floor) {
  return {.element = shape.element,
          .type = shape.type,
          .components = shape.components,
          .name = shape.name,
          .space = shape.space,
          .bytes = shape.bytes,
          .interleaved = shape.interleaved,
          .floor = floor};
}

}  // namespace

erased_motion erase(std::size_t stages, std::uint64_t word, placing_function places, const index_array_shape& source,
                    const index_array_shape& destination, std::pair<std::uint64_t, std::uint64_t> floors) {
  return {facts_of(source, floors.first), facts_of(destination, floors.second), stages, word,
          [places = std::move(places), &source, &destination](std::size_t stage, const inspection& how) {
            plan_index_motion(places(stage, how), source, destination, how);
          }};
}

}  // namespace wherry::detail
