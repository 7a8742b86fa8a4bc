#include "wherry/blocks/array_shape.hpp"

#include <algorithm>

namespace wherry {
namespace {

constexpr index_t line = 64;

index_t whole_lines(index_t bytes) { return (bytes + line - 1) / line * line; }

/// Rows a power of two apart fall into the same few cache sets; one cache line more spreads them.
template <int N> point<N> padded(point<N> extents, const array_shape<N>& shape) {
  const auto fastest = static_cast<std::size_t>(std::find(shape.order.place.begin(), shape.order.place.end(), 0) -
                                                shape.order.place.begin());
  if (N > 1 && extents[fastest] * shape.element % 512 == 0)
    extents[fastest] += std::max<index_t>(1, line / shape.element);
  return extents;
}

}  // namespace

template <int N> const placed_grid<N>* array_shape<N>::find(int number) const {
  // A rank's numbers often follow one another.
  if (grids.empty() || number < grids.front().number) return nullptr;
  const auto guess = static_cast<std::size_t>(number - grids.front().number);
  if (guess < grids.size() && grids[guess].number == number) return &grids[guess];
  const auto found = std::lower_bound(grids.begin(), grids.end(), number,
                                      [](const placed_grid<N>& g, int wanted) { return g.number < wanted; });
  return found == grids.end() || found->number != number ? nullptr : &*found;
}

template <int N> void place_grids(array_shape<N>& shape, int rank, bool pad_rows) {
  index_t end = 0;
  for (const int number : shape.plan->owned_by(rank)) {
    placed_grid<N> g;
    g.number = number;
    g.whole = shape.whole(number);
    const auto extents = pad_rows ? padded(g.whole.extents(), shape) : g.whole.extents();
    g.strides = dense_strides(extents, shape.order);
    index_t cells = g.whole.empty() ? 0 : 1;
    for (std::size_t d = 0; d < N; ++d) {
      cells *= extents[d];
      g.strides[d] *= shape.element;
    }
    g.component_stride = cells * shape.element;
    // Grids whose starts are a multiple of a page apart would compete as rows do.
    if (end % 4096 == 0 && end > 0) end += line;
    g.offset = end;
    end += whole_lines(g.component_stride * shape.components);
    shape.grids.push_back(g);
  }
  shape.bytes = {end};
}

template <int N> std::uint64_t fingerprint_of(const array_shape<N>& shape) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](auto part) { hash = (hash ^ static_cast<std::uint64_t>(part)) * 1099511628211u; };
  add(N);
  add(shape.element);
  add(shape.components);
  for (const auto& g : shape.grids) {
    add(g.number);
    add(g.field);
    add(g.offset);
    add(g.component_stride);
    for (std::size_t d = 0; d < N; ++d) {
      add(g.whole.lower[d]);
      add(g.whole.upper[d]);
      add(g.strides[d]);
    }
  }
  return hash;
}

#define WHERRY_ARRAY_SHAPE(N)                            \
  template struct array_shape<N>;                        \
  template void place_grids(array_shape<N>&, int, bool); \
  template std::uint64_t fingerprint_of(const array_shape<N>&);
WHERRY_ARRAY_SHAPE(1)
WHERRY_ARRAY_SHAPE(2)
WHERRY_ARRAY_SHAPE(3)
WHERRY_ARRAY_SHAPE(4)
WHERRY_ARRAY_SHAPE(5)
WHERRY_ARRAY_SHAPE(6)
#undef WHERRY_ARRAY_SHAPE

}  // namespace wherry
