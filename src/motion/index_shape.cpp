#include "wherry/motion/index_shape.hpp"

#include <algorithm>

#include "wherry/core/checked.hpp"
#include "wherry/core/hash.hpp"

namespace wherry {

const detail::placed_part* detail::index_array_shape::find(int number) const {
  const auto found = std::lower_bound(parts.begin(), parts.end(), number,
                                      [](const detail::placed_part& p, int wanted) { return p.number < wanted; });
  return found == parts.end() || found->number != number ? nullptr : &*found;
}

void detail::place_parts(detail::index_array_shape& shape) {
  constexpr index_t line = 64;  // each part begins a cache line
  constexpr detail::checked size{"index_array", "number of bytes"};
  index_t end = 0;
  for (auto& part : shape.parts) {
    part.offset = end;
    const auto values = size.product(part.points, index_t{shape.components});
    end = size.sum(end, size.rounded_up(size.product(values, shape.element), line));
  }
  shape.bytes = {end};
}

std::uint64_t detail::fingerprint_of(const detail::index_array_shape& shape, std::uint64_t covers) {
  shape_hash all;
  all.add(covers).add(shape.element).add(shape.components).add(shape.interleaved);
  all.add(shape.space == memory_space::device);
  shape.type.add_to(all);
  for (const auto& part : shape.parts) all.add(part.number).add(part.field).add(part.offset).add(part.points);
  return all.value();
}

std::vector<detail::piece_range> detail::index_array_shape::ranges() const {
  std::vector<detail::piece_range> all;
  for (const auto& part : parts) all.push_back({part.field, part.offset});
  return all;
}

detail::array_figures detail::figures_of(const detail::index_array_shape& shape) {
  detail::array_figures result{shape.type, 0, shape.components, shape.parts.size()};
  if (shape.parts.empty()) return result;
  result.first_number = shape.parts.front().number;
  result.first_stride = shape.stride;
  for (const auto& part : shape.parts) result.points += part.points;
  result.span = shape.parts.back().offset;
  return result;
}

}  // namespace wherry
