#include "wherry/motion/index_mover.hpp"

#include "index_motion.hpp"

namespace wherry::detail {
namespace {

array_facts facts_of(const index_array_shape& shape) {
  return {.element = shape.element,
          .type = shape.type,
          .components = shape.components,
          .name = shape.name,
          .space = shape.space,
          .bytes = shape.bytes,
          .interleaved = shape.interleaved};
}

}  // namespace

erased_motion erase(std::size_t stages, placing_function places, const index_array_shape& source,
                    const index_array_shape& destination) {
  return {facts_of(source), facts_of(destination), stages,
          [places = std::move(places), &source, &destination](std::size_t stage, const inspection& how) {
            plan_index_motion(places(stage, how), source, destination, how);
          }};
}

}  // namespace wherry::detail
