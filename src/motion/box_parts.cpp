#include "wherry/motion/box_parts.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/box_list.hpp"

#include "value_owners.hpp"

namespace wherry {
namespace {

/// The cells inside the domain along dimensions that are not periodic. A domain without cells has no edges.
template <int N> box<N> inside(box<N> cells, const domain<N>& space) {
  for (std::size_t d = 0; d < N && !space.cells.empty(); ++d) {
    if (space.periodic[d]) continue;
    cells.lower[d] = std::max(cells.lower[d], space.cells.lower[d]);
    cells.upper[d] = std::min(cells.upper[d], space.cells.upper[d]);
  }
  return cells;
}

/// The part of `cells` outside the boxes of a plan for which `taken(place)` is true, and outside their periodic images.
template <int N, class Taken>
box_list<N> without(const box<N>& cells, const floor_plan<N>& plan, const box_index<N>& index, const domain<N>& space,
                    Taken&& taken) {
  box_list<N> parts;
  if (!cells.empty()) parts.push_back(cells);
  index.for_each_touching(cells, space, [&](int other, const point<N>& offset) {
    if (taken(other)) parts = difference(parts, shift<N>(plan.boxes()[static_cast<std::size_t>(other)], offset));
  });
  return parts;
}

/// For each box of the rank, the part of `around(cells)` outside other boxes.
template <int N, class Around, class Taken>
std::vector<box_part<N>> left_of_each(const floor_plan<N>& plan, const domain<N>& space, int rank, Around&& around,
                                      Taken&& taken) {
  const box_index<N> index(plan.boxes());
  std::vector<box_part<N>> result;
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    const auto& cells = plan.boxes()[at];
    if (plan.owners()[at] != rank || cells.empty()) continue;
    for (const auto& part : without(around(cells), plan, index, space, [&](int other) { return taken(place, other); }))
      result.push_back({plan.number_of(place), part});
  }
  return result;
}

}  // namespace

template <int N>
std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>& plan, const halo_widths<N>& widths,
                                          const domain<N>& space, int rank) {
  for (std::size_t d = 0; d < N; ++d)
    if (std::min(widths.minus[d], widths.plus[d]) < 0)
      throw error(error_kind::argument, "uncovered_ghosts",
                  detail::text("'widths' are ", widths.minus[d], " and ", widths.plus[d], " in dimension ", d,
                               ", expected 0 or more"),
                  rank);
  return left_of_each(
      plan, space, rank, [&](const box<N>& cells) { return inside(grow<N>(cells, widths.minus, widths.plus), space); },
      [](int, int) { return true; });
}

template <int N> std::vector<box_part<N>> without_overlap(const floor_plan<N>& plan, int rank) {
  return left_of_each(
      plan, domain<N>{}, rank, [](const box<N>& cells) { return cells; },
      [](int place, int other) { return other < place; });
}

template <int N>
std::vector<box_part<N>> owned_values(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space,
                                      int rank) {
  value_owners<N> owners(plan, on, space);
  std::vector<box_part<N>> result;
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    if (plan.owners()[at] != rank) continue;
    for (const auto& part : owners.owned(place, values_of(plan.boxes()[at], on)))
      result.push_back({plan.number_of(place), part});
  }
  return result;
}

template <int N>
box_list<N> detail::uncovered(const std::vector<box<N>>& cells, const floor_plan<N>& plan, const domain<N>& space) {
  const box_index<N> index(plan.boxes());
  box_list<N> result;
  for (const auto& one : cells)
    for (const auto& part : without(inside(one, space), plan, index, space, [](int) { return true; }))
      result.push_back(part);
  return result;
}

#define WHERRY_BOX_PARTS(N)                                                                                         \
  template std::vector<box_part<N>> uncovered_ghosts(const floor_plan<N>&, const halo_widths<N>&, const domain<N>&, \
                                                     int);                                                          \
  template std::vector<box_part<N>> owned_values(const floor_plan<N>&, const centring<N>&, const domain<N>&, int);  \
  template std::vector<box_part<N>> without_overlap(const floor_plan<N>&, int);                                     \
  template box_list<N> detail::uncovered(const std::vector<box<N>>&, const floor_plan<N>&, const domain<N>&);
WHERRY_BOX_PARTS(1)
WHERRY_BOX_PARTS(2)
WHERRY_BOX_PARTS(3)
WHERRY_BOX_PARTS(4)
WHERRY_BOX_PARTS(5)
WHERRY_BOX_PARTS(6)
#undef WHERRY_BOX_PARTS

}  // namespace wherry
