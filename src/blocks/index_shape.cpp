#include "wherry/blocks/index_shape.hpp"

#include <algorithm>

namespace wherry {

const placed_part* index_array_shape::find(int number) const {
  const auto found = std::lower_bound(parts.begin(), parts.end(), number,
                                      [](const placed_part& p, int wanted) { return p.number < wanted; });
  return found == parts.end() || found->number != number ? nullptr : &*found;
}

void place_parts(index_array_shape& shape) {
  constexpr index_t line = 64;  // parts have cache lines of their own
  index_t end = 0;
  for (auto& part : shape.parts) {
    part.offset = end;
    end += (part.points * shape.components * shape.element + line - 1) / line * line;
  }
  shape.bytes = {end};
}

std::uint64_t fingerprint_of(const index_array_shape& shape, std::uint64_t covers) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](auto part) { hash = (hash ^ static_cast<std::uint64_t>(part)) * 1099511628211u; };
  add(covers);
  add(shape.element);
  add(shape.components);
  add(shape.interleaved);
  for (const auto& part : shape.parts) {
    add(part.number);
    add(part.field);
    add(part.offset);
    add(part.points);
  }
  return hash;
}

}  // namespace wherry
