#include "wherry/motion/array_shape.hpp"

#include <algorithm>
#include <cstdlib>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"

namespace wherry {
namespace {

constexpr detail::checked size{"x_array", "number of bytes"};

}  // namespace

template <int N> const detail::placed_grid<N>* detail::array_shape<N>::find(int number) const {
  // The numbers of a rank's boxes are often consecutive.
  if (grids.empty() || number < grids.front().number) return nullptr;
  const auto guess = static_cast<std::size_t>(number - grids.front().number);
  if (guess < grids.size() && grids[guess].number == number) return &grids[guess];
  const auto found = std::lower_bound(grids.begin(), grids.end(), number,
                                      [](const detail::placed_grid<N>& g, int wanted) { return g.number < wanted; });
  return found == grids.end() || found->number != number ? nullptr : &*found;
}

template <int N> void detail::place_grids(detail::array_shape<N>& shape, int rank, bool pad_rows) {
  index_t end = 0;
  for (const int number : shape.plan->owned_by(rank)) {
    detail::placed_grid<N> g;
    g.number = number;
    g.whole = shape.whole(number);
    const auto extents =
        pad_rows ? detail::padded_extents(g.whole.extents(), shape.layout, shape.element, size) : g.whole.extents();
    g.strides = dense_strides(extents, shape.layout);
    index_t cells = g.whole.empty() ? 0 : 1;
    for (std::size_t d = 0; d < N; ++d) {
      cells = size.product(cells, extents[d]);
      g.strides[d] = size.product(g.strides[d], shape.element);
    }
    g.component_stride = size.product(cells, shape.element);
    // Grids with starts that are a multiple of a page apart would compete for the same cache sets.
    if (end % 4096 == 0 && end > 0) end = size.sum(end, detail::cache_line);
    g.offset = end;
    end =
        size.sum(end, size.rounded_up(size.product(g.component_stride, index_t{shape.components}), detail::cache_line));
    shape.grids.push_back(g);
  }
  shape.bytes = {end};
}

template <int N> std::uint64_t detail::fingerprint_of(const detail::array_shape<N>& shape) {
  shape_hash all;
  all.add(N).add(shape.element).add(shape.components).add(shape.space == memory_space::device);
  shape.type.add_to(all);
  for (const auto& g : shape.grids) {
    all.add(g.number).add(g.field).add(g.offset).add(g.component_stride);
    for (std::size_t d = 0; d < N; ++d) all.add(g.whole.lower[d]).add(g.whole.upper[d]).add(g.strides[d]);
  }
  return all.value();
}

template <int N> detail::array_figures detail::figures_of(const detail::array_shape<N>& shape) {
  detail::array_figures result{shape.type, N, shape.components, shape.grids.size()};
  if (shape.grids.empty()) return result;
  result.first_number = shape.grids.front().number;
  result.first_stride = shape.grids.front().strides[0];
  for (const auto& g : shape.grids) {
    result.points += g.whole.size();
    for (int d = 0; d < N; ++d)
      result.span += std::max<index_t>(0, g.whole.extent(d) - 1) * std::abs(g.strides[static_cast<std::size_t>(d)]);
  }
  return result;
}

template <int N> std::vector<detail::piece_range> detail::array_shape<N>::ranges() const {
  std::vector<detail::piece_range> all;
  all.reserve(grids.size());
  for (const auto& g : grids) {
    detail::piece_range one{g.field, g.offset};
    for (int d = 0; d < N; ++d)
      if (const auto stride = g.strides[static_cast<std::size_t>(d)]; stride < 0)
        one.lowest += (g.whole.extent(d) - 1) * stride;
    if (g.component_stride < 0) one.lowest += (components - 1) * g.component_stride;
    all.push_back(one);
  }
  return all;
}

std::string detail::array_figures::difference_from(const detail::array_figures& wanted) const {
  const auto differ = [](std::string_view what, const auto& has, const auto& bound) {
    return detail::text("has ", what, ' ', has, " where the mover was made for ", bound);
  };
  if (type != wanted.type) return differ("elements that are", to_string(type), to_string(wanted.type));
  if (dimensions != wanted.dimensions) return differ("a number of dimensions of", dimensions, wanted.dimensions);
  if (components != wanted.components) return differ("a number of components of", components, wanted.components);
  if (pieces != wanted.pieces) return differ("a number of pieces of", pieces, wanted.pieces);
  if (first_number != wanted.first_number)
    return differ("as its first piece number", first_number, wanted.first_number);
  if (points != wanted.points) return differ("a number of points of", points, wanted.points);
  if (first_stride != wanted.first_stride)
    return differ("a first stride in bytes of", first_stride, wanted.first_stride);
  if (span != wanted.span) return differ("a span in bytes of", span, wanted.span);
  return "has its points in other places";
}

#define WHERRY_ARRAY_SHAPE(N)                                                   \
  template struct detail::array_shape<N>;                                       \
  template void detail::place_grids(detail::array_shape<N>&, int, bool);        \
  template std::uint64_t detail::fingerprint_of(const detail::array_shape<N>&); \
  template detail::array_figures detail::figures_of(const detail::array_shape<N>&);
WHERRY_ARRAY_SHAPE(1)
WHERRY_ARRAY_SHAPE(2)
WHERRY_ARRAY_SHAPE(3)
WHERRY_ARRAY_SHAPE(4)
WHERRY_ARRAY_SHAPE(5)
WHERRY_ARRAY_SHAPE(6)
#undef WHERRY_ARRAY_SHAPE

}  // namespace wherry
