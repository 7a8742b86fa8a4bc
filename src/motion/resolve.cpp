#include "wherry/motion/resolve.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

#include "core/collective.hpp"
#include "core/terms.hpp"
#include "meet.hpp"
#include "partial_floor_plan.hpp"

namespace wherry {
namespace {

constexpr const char* in_resolve = "floor plan";

template <int N> terms terms_of(const halo_widths<N>& reach, const domain<N>& space, const std::vector<int>& sizes) {
  return terms([&, sizes](auto& say) {
    say(N, "the number of dimensions");
    for (std::size_t i = 0; i < sizes.size(); ++i) say(sizes[i], "the number of boxes of floor plan ", i);
    for (std::size_t d = 0; d < N; ++d) {
      say(reach.minus[d], "the reach: downwards in dimension ", d);
      say(reach.plus[d], "the reach: upwards in dimension ", d);
      say(space.cells.lower[d], "the domain: its lower end in dimension ", d);
      say(space.cells.upper[d], "the domain: its upper end in dimension ", d);
      say(bool{space.periodic[d]}, "the domain: its periodicity in dimension ", d);
    }
  });
}

template <int N> void check_reach(const halo_widths<N>& reach, int rank) {
  for (std::size_t d = 0; d < N; ++d)
    if (std::min(reach.minus[d], reach.plus[d]) < 0)
      throw error(error_kind::argument, in_resolve,
                  detail::text("'reach' is ", reach.minus[d], " and ", reach.plus[d], " along dimension ", d,
                               ", expected 0 or more"),
                  rank);
}

/// Checks that sums of a few coordinates cannot overflow.
template <int N> void check_corners(const box<N>& cells, std::string_view whose, int rank) {
  constexpr index_t farthest = index_t{1} << 59;
  for (const auto& corner : {cells.lower, cells.upper})
    for (const index_t x : corner)
      if (x < -farthest || x > farthest)
        throw error(error_kind::argument, in_resolve, detail::text(whose, " reaches to ", x, ", farther than 2^59"),
                    rank);
}

/// Checks all arguments before anything is sent.
template <int N>
void check_all(const halo_widths<N>& reach, const domain<N>& space, std::initializer_list<const floor_plan<N>*> plans,
               int rank) {
  check_reach(reach, rank);
  check_corners<N>({reach.minus, reach.plus}, "the reach", rank);
  check_corners(space.cells, "the domain", rank);
  for (const auto* plan : plans)
    for (const auto& b : plan->boxes()) check_corners(b, "a box", rank);
}

template <int N> void append_own(const floor_plan<N>& plan, int rank, int side, std::vector<known_box<N>>& list) {
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    if (plan.owners()[at] == rank && !plan.boxes()[at].empty())
      list.push_back({plan.number_of(place), rank, side, 0, plan.boxes()[at]});
  }
}

/// `plan` with the learned boxes of its side added.
template <int N>
floor_plan<N> extended(const floor_plan<N>& plan, const std::vector<known_box<N>>& learned, int side, int rank,
                       const detail::acquaintance& with) {
  if (plan.complete()) return plan;
  std::vector<known_box<N>> all;
  for (int place = 0; place < plan.known(); ++place) {
    const auto at = static_cast<std::size_t>(place);
    all.push_back({plan.number_of(place), plan.owners()[at], side, 0, plan.boxes()[at]});
  }
  for (const auto& b : learned)
    if (b.side == side) all.push_back(b);
  auto result = partial_floor_plan<N>(plan.size(), std::move(all));
  result.set_knowledge(detail::knowledge_after(plan, rank, with));
  return result;
}

}  // namespace

template <int N> floor_plan<N> distributed_floor_plan(const communicator& comm, const std::vector<box<N>>& mine) {
  const auto count = static_cast<std::int64_t>(mine.size());
  const auto [first, total] = patient::shares(comm, in_resolve, {count})[0];
  if (total > INT_MAX)
    throw error(error_kind::argument, in_resolve,
                detail::text("all ranks together have ", total, " boxes, expected at most 2^31 - 1"), comm.rank());
  std::vector<int> numbers(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i) numbers[i] = static_cast<int>(first) + static_cast<int>(i);
  floor_plan<N> result(static_cast<int>(total), std::move(numbers), mine, owner_map(mine.size(), comm.rank()));
  result.set_knowledge({.is_said = true});
  return result;
}

template <int N>
floor_plan<N> resolve(const communicator& comm, const floor_plan<N>& plan, const halo_widths<N>& reach,
                      const domain<N>& space) {
  collectively_on(terms_of(reach, space, {plan.size()}), comm, in_resolve,
                  [&] { check_all(reach, space, {&plan}, comm.rank()); });
  std::vector<known_box<N>> mine;
  append_own(plan, comm.rank(), 0, mine);
  return extended(plan, meet(comm, mine, false, reach, space), 0, comm.rank(), {reach, space});
}

template <int N>
resolved_pair<floor_plan<N>> resolve(const communicator& comm, const floor_plan<N>& from, const floor_plan<N>& to,
                                     const domain<N>& space) {
  const halo_widths<N> nothing(0);
  collectively_on(terms_of(nothing, space, {from.size(), to.size()}), comm, in_resolve,
                  [&] { check_all(nothing, space, {&from, &to}, comm.rank()); });
  std::vector<known_box<N>> mine;
  append_own(from, comm.rank(), 0, mine);
  append_own(to, comm.rank(), 1, mine);
  const auto learned = meet(comm, mine, true, nothing, space);
  const detail::acquaintance together(nothing, space, detail::next_pair());
  return {extended(from, learned, 0, comm.rank(), together), extended(to, learned, 1, comm.rank(), together)};
}

template <int N>
resolved_pair<floor_plan<N>> resolve(const communicator& comm, const floor_plan<N>& from, const centring<N>& on,
                                     const floor_plan<N>& to, const domain<N>& space) {
  const terms agreed([&](auto& say) {
    for (std::size_t d = 0; d < N; ++d) say(bool{on.on_planes[d]}, "the centring: on planes in dimension ", d);
    say(from.complete(), "whether the floor plan of cells is complete");
  });
  collectively_on(agreed, comm, in_resolve,
                  [&] { check_all(halo_widths<N>(on.planes()), space, {&from, &to}, comm.rank()); });
  if (on.is_of_cells()) return resolve(comm, from, to, space);
  // A value on planes has cells around it from the one below to the one above.
  const auto around = to.transformed([&](const box<N>& values) { return grow<N>(values, on.planes(), {}); });
  auto both = resolve(comm, from, around, space);
  auto back = on.planes();
  for (auto& one : back) one = -one;
  both.to = both.to.transformed([&](const box<N>& cells) { return grow<N>(cells, back, {}); });
  if (!from.complete())
    both.from = resolve(comm, both.from, halo_widths<N>(on.planes()), space);  // neighbours decide who owns a value
  return both;
}

#define WHERRY_RESOLVE(N)                                                                                             \
  template floor_plan<N> distributed_floor_plan(const communicator&, const std::vector<box<N>>&);                     \
  template floor_plan<N> resolve(const communicator&, const floor_plan<N>&, const halo_widths<N>&, const domain<N>&); \
  template resolved_pair<floor_plan<N>> resolve(const communicator&, const floor_plan<N>&, const floor_plan<N>&,      \
                                                const domain<N>&);                                                    \
  template resolved_pair<floor_plan<N>> resolve(const communicator&, const floor_plan<N>&, const centring<N>&,        \
                                                const floor_plan<N>&, const domain<N>&);
WHERRY_RESOLVE(1)
WHERRY_RESOLVE(2)
WHERRY_RESOLVE(3)
WHERRY_RESOLVE(4)
WHERRY_RESOLVE(5)
WHERRY_RESOLVE(6)
#undef WHERRY_RESOLVE

}  // namespace wherry
