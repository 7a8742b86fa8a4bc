#include "wherry/motion/box_parts.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/box_list.hpp"

namespace wherry {
namespace {

/// Where the domain ends, so does what a level can give. Of an open index space nothing ends.
template <int N> box<N> inside(box<N> cells, const domain<N>& space) {
  for (std::size_t d = 0; d < N && !space.cells.empty(); ++d) {
    if (space.periodic[d]) continue;
    cells.lower[d] = std::max(cells.lower[d], space.cells.lower[d]);
    cells.upper[d] = std::min(cells.upper[d], space.cells.upper[d]);
  }
  return cells;
}

}  // namespace

template <int N>
std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>& plan, const halo_widths<N>& widths,
                                          const domain<N>& space, int rank) {
  for (std::size_t d = 0; d < N; ++d)
    if (std::min(widths.minus[d], widths.plus[d]) < 0)
      throw error(error_kind::argument, "uncovered_ghosts",
                  text("dimension ", d, " has widths ", widths.minus[d], " and ", widths.plus[d]), rank);
  const box_index<N> index(plan.boxes());
  std::vector<box_part<N>> result;
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    const auto& cells = plan.boxes()[at];
    if (plan.owners()[at] != rank || cells.empty()) continue;
    const auto around = inside(grow<N>(cells, widths.minus, widths.plus), space);
    box_list<N> parts = difference(around, cells);
    index.for_each_touching(around, space, [&](int other, const point<N>& offset) {
      parts = difference(parts, shift<N>(plan.boxes()[static_cast<std::size_t>(other)], offset));
    });
    for (const auto& part : parts) result.push_back({plan.number_of(place), part});
  }
  return result;
}

template <int N> std::vector<box_part<N>> without_overlap(const floor_plan<N>& plan, int rank) {
  const box_index<N> index(plan.boxes());
  std::vector<box_part<N>> result;
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    const auto& cells = plan.boxes()[at];
    if (plan.owners()[at] != rank || cells.empty()) continue;
    box_list<N> parts{cells};
    index.for_each_touching(cells, [&](int other) {
      if (other < place) parts = difference(parts, plan.boxes()[static_cast<std::size_t>(other)]);
    });
    for (const auto& part : parts) result.push_back({plan.number_of(place), part});
  }
  return result;
}

#define WHERRY_BOX_PARTS(N)                                                                                         \
  template std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>&, const halo_widths<N>&, const domain<N>&, \
                                                     int);                                                          \
  template std::vector<box_part<N>> without_overlap(const floor_plan<N>&, int);
WHERRY_BOX_PARTS(1)
WHERRY_BOX_PARTS(2)
WHERRY_BOX_PARTS(3)
WHERRY_BOX_PARTS(4)
WHERRY_BOX_PARTS(5)
WHERRY_BOX_PARTS(6)
#undef WHERRY_BOX_PARTS

}  // namespace wherry
