#include "wherry/motion/motions.hpp"

#include <algorithm>
#include <cstdint>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/box_list.hpp"

#include "value_owners.hpp"

namespace wherry {
namespace {

constexpr int few_boxes = 100;  // with fewer boxes, counting the entries costs as much as making them

template <int N> point<N> negative(point<N> p) {
  for (auto& x : p) x = -x;
  return p;
}

template <int N> int owner_at(const floor_plan<N>& plan, int place) {
  return plan.owners()[static_cast<std::size_t>(place)];
}
template <int N> const box<N>& box_at(const floor_plan<N>& plan, int place) {
  return plan.boxes()[static_cast<std::size_t>(place)];
}

/// The pairs of boxes in which one may have ghost cells of the other.
template <int N> class halo_pairs {
 public:
  halo_pairs(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space, int rank)
      : plan_(plan), space_(space), rank_(rank), reach_(widths), index_(plan.boxes()) {
    if (rank == plans::every_rank) return;
    for (std::size_t d = 0; d < N; ++d)
      reach_.minus[d] = reach_.plus[d] = std::max(widths.minus[d], widths.plus[d]);  // finds each pair from either box
  }

  /// Calls `visit(from, offset, to)` for each pair. `from` and `to` are places in the plan.
  template <class Visit> void for_each(Visit&& visit) const {
    for_each_of([](int) { return true; }, visit);
  }

  /// An estimate of the number of pairs from a random sixteenth of the boxes; exact for few boxes.
  std::size_t estimate() const {
    const bool few = plan_.known() < 4096;
    std::size_t count = 0;
    for_each_of([few](int place) { return few || static_cast<std::uint32_t>(place) * 2654435761u >> 28 == 0; },
                [&](int, const point<N>&, int) { ++count; });
    return few ? count : 17 * count;
  }

 private:
  template <class Wanted, class Visit> void for_each_of(Wanted&& wanted, Visit&& visit) const {
    const auto mine = [this](int place) { return rank_ == plans::every_rank || owner_at(plan_, place) == rank_; };
    index_.for_each_touching_pair(
        reach_, space_, [&](int place) { return mine(place) && wanted(place); },
        [&](int to, int from, const point<N>& offset) {
          visit(from, offset, to);
          if (!mine(from)) visit(to, negative<N>(offset), from);
        });
  }

  const floor_plan<N>& plan_;
  const domain<N>& space_;
  int rank_;
  halo_widths<N> reach_;
  box_index<N> index_;
};

/// Makes the entries that fill ghost cells of one box from another.
template <int N> struct halo_builder {
  const floor_plan<N>& plan;
  const halo_widths<N>& widths;
  const stencil_shape& stencil;
  const plans::motion_visitor<motion<N>>& visit;

  void add(int from, const point<N>& offset, int to) {
    const auto& core = box_at(plan, to);
    const auto& other = box_at(plan, from);
    motion<N> entry{plan.number_of(from), plan.number_of(to), {}, {}};
    auto& cells = entry.destination;
    bool none = false, beside = false;
    for (std::size_t d = 0; d < N; ++d) {
      cells.lower[d] = std::max(core.lower[d] - widths.minus[d], other.lower[d] + offset[d]);
      cells.upper[d] = std::min(core.upper[d] + widths.plus[d], other.upper[d] + offset[d]);
      none = none || cells.lower[d] >= cells.upper[d];
      beside = beside || cells.upper[d] <= core.lower[d] || cells.lower[d] >= core.upper[d];
    }
    if (none) return;
    const auto add_cells = [&](const box<N>& part) {
      entry.destination = part;
      entry.source = shift(part, negative<N>(offset));
      visit(entry);
    };
    if (!stencil.is_all()) {
      const auto around = cells;
      detail::for_each_direction(around, core, [&](const cell_direction& way, const box<N>& part) {
        if (stencil.contains(way)) add_cells(part);
      });
    } else if (beside) {
      entry.source = shift(cells, negative<N>(offset));
      visit(entry);
    } else {
      for (const auto& part : difference(cells, core)) add_cells(part);
    }
  }
};

/// Makes the entries that fill values of one box, ghost values included, from another.
template <int N> struct values_builder {
  const floor_plan<N>& plan;
  const centring<N>& on;
  const halo_widths<N>& widths;
  const stencil_shape& stencil;
  const plans::motion_visitor<motion<N>>& visit;
  value_owners<N> owners;

  void add(int from, const point<N>& offset, int to) {
    const auto core = values_of(box_at(plan, to), on);
    const auto whole = grow<N>(core, widths.minus, widths.plus);
    const auto add_values = [&](const box<N>& part) {
      visit({plan.number_of(from), plan.number_of(to), shift(part, negative<N>(offset)), part});
    };
    for (const auto& owned : owners.owned(from, shift(whole, negative<N>(offset)))) {
      const auto part = shift(owned, offset);
      if (stencil.is_all()) {
        add_values(part);
        continue;
      }
      if (const auto shared = intersection(part, core); !shared.empty()) add_values(shared);
      detail::for_each_direction(part, core, [&](const cell_direction& way, const box<N>& ghosts) {
        if (stencil.contains(way)) add_values(ghosts);
      });
    }
  }
};

/// Calls `visit(source, offset, destination)` for each pair of boxes with common cells that `rank` takes part in.
/// `source` and `destination` are places in the plans.
template <int N, class Visit>
void for_each_common_pair(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space, int rank,
                          Visit&& visit) {
  const box_index<N> sources(from.boxes());
  for (int place = 0; place < to.known(); ++place)
    if (rank == plans::every_rank || owner_at(to, place) == rank)
      sources.for_each_touching(box_at(to, place), space,
                                [&](int source, const point<N>& offset) { visit(source, offset, place); });
  if (rank == plans::every_rank) return;
  const box_index<N> destinations(to.boxes());
  for (int place = 0; place < from.known(); ++place)
    if (owner_at(from, place) == rank)
      destinations.for_each_touching(box_at(from, place), space, [&](int destination, const point<N>& offset) {
        if (owner_at(to, destination) != rank) visit(place, negative<N>(offset), destination);
      });
}

template <int N> void check_widths(const halo_widths<N>& widths) {
  for (std::size_t d = 0; d < N; ++d)
    if (std::min(widths.minus[d], widths.plus[d]) < 0)
      throw error(error_kind::argument, "halo_motion",
                  detail::text("'widths' are ", widths.minus[d], " and ", widths.plus[d], " in dimension ", d,
                               ", expected 0 or more"));
}

template <int N>
void require_reach(const floor_plan<N>& plan, const halo_widths<N>& needed, const domain<N>& space, int rank) {
  if (rank == plans::every_rank || needed == halo_widths<N>(0)) return;
  detail::require_knowledge("halo_motion", plan.complete(), plan.knowledge(), {needed, space}, rank);
}
template <int N>
void require_pair(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space, int rank) {
  if (rank == plans::every_rank || from == to) return;  // equal plans know each other's boxes
  detail::require_pair("redistribution", from.complete() || to.complete(), from.knowledge(), to.knowledge(),
                       {halo_widths<N>(0), space}, rank);
}

/// A hash of the arguments that must be the same on all ranks.
template <int N> shape_hash word_of(const floor_plan<N>& plan, const domain<N>& space) {
  shape_hash all;
  all.add(plan.size()).add(plan.fingerprint());
  for (std::size_t d = 0; d < N; ++d)
    all.add(space.cells.lower[d]).add(space.cells.upper[d]).add(bool{space.periodic[d]});
  return all;
}
template <int N>
std::uint64_t word_of(const floor_plan<N>& plan, const centring<N>& on, const halo_widths<N>& widths,
                      const domain<N>& space, const stencil_shape& stencil) {
  auto all = word_of(plan, space);
  for (std::size_t d = 0; d < N; ++d) all.add(bool{on.on_planes[d]}).add(widths.minus[d]).add(widths.plus[d]);
  all.add(stencil.kind);
  for (const auto& way : stencil.listed)
    for (const int side : way) all.add(side);
  return all.value();
}

template <int N> box<N> permuted(const box<N>& b, const axis_permutation<N>& axes) {
  box<N> result;
  for (std::size_t d = 0; d < N; ++d) {
    result.lower[d] = b.lower[static_cast<std::size_t>(axes[d])];
    result.upper[d] = b.upper[static_cast<std::size_t>(axes[d])];
  }
  return result;
}

template <int N> axis_permutation<N> inverse(const axis_permutation<N>& axes) {
  axis_permutation<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[static_cast<std::size_t>(axes[d])] = static_cast<std::int8_t>(d);
  return result;
}

}  // namespace

template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                           const stencil_shape& stencil) {
  check_widths(widths);
  box_motions<N> result([=](int rank, const plans::motion_visitor<motion<N>>& visit) {
    require_reach(plan, widths, space, rank);
    const halo_pairs<N> pairs(plan, widths, space, rank);
    if (plan.known() > few_boxes) visit.expect(pairs.estimate());
    halo_builder<N> builder{plan, widths, stencil, visit};
    pairs.for_each([&](int from, const point<N>& offset, int to) { builder.add(from, offset, to); });
  });
  return result.made_of([=] { return word_of(plan, centring<N>::cells(), widths, space, stencil); });
}

template <int N>
box_motions<N> halo_motion(const floor_plan<N>& plan, const centring<N>& on, const halo_widths<N>& widths,
                           const domain<N>& space, const stencil_shape& stencil) {
  if (on.is_of_cells()) return halo_motion(plan, widths, space, stencil);
  check_widths(widths);
  box_motions<N> result([=](int rank, const plans::motion_visitor<motion<N>>& visit) {
    require_reach(plan, reach_of(widths, on), space, rank);
    const halo_pairs<N> pairs(plan, reach_of(widths, on), space, rank);
    if (plan.known() > few_boxes) visit.expect(pairs.estimate());
    values_builder<N> builder{plan, on, widths, stencil, visit, {plan, on, space}};
    pairs.for_each([&](int from, const point<N>& offset, int to) { builder.add(from, offset, to); });
  });
  return result.made_of([=] { return word_of(plan, on, widths, space, stencil); });
}

template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to, const domain<N>& space) {
  box_motions<N> result([=](int rank, const plans::motion_visitor<motion<N>>& visit) {
    require_pair(from, to, space, rank);
    for_each_common_pair(from, to, space, rank, [&](int source, const point<N>& offset, int destination) {
      const auto cells = intersection(box_at(to, destination), shift(box_at(from, source), offset));
      visit({from.number_of(source), to.number_of(destination), shift(cells, negative<N>(offset)), cells});
    });
  });
  return result.made_of([=] { return word_of(from, space).add(to.size()).add(to.fingerprint()).value(); });
}

template <int N> box_motions<N> redistribution(const floor_plan<N>& from, const floor_plan<N>& to) {
  return redistribution(from, to, domain<N>{});
}

template <int N>
box_motions<N> redistribution(const floor_plan<N>& from, const centring<N>& on, const floor_plan<N>& to,
                              const domain<N>& space) {
  if (on.is_of_cells()) return redistribution(from, to, space);
  box_motions<N> result([=](int rank, const plans::motion_visitor<motion<N>>& visit) {
    value_owners<N> owners(from, on, space);
    const auto held = values_of(from, on);
    for_each_common_pair(held, to, space, rank, [&](int source, const point<N>& offset, int destination) {
      for (const auto& part : owners.owned(source, shift(box_at(to, destination), negative<N>(offset))))
        visit({from.number_of(source), to.number_of(destination), part, shift(part, offset)});
    });
  });
  return result.made_of([=] {
    auto all = word_of(from, space).add(to.size()).add(to.fingerprint());
    for (const bool planes : on.on_planes) all.add(planes);
    return all.value();
  });
}

template <int N> floor_plan<N> values_of(const floor_plan<N>& plan, const centring<N>& on) {
  if (on.is_of_cells()) return plan;
  return plan.transformed([&](const box<N>& cells) { return values_of(cells, on); });
}

template <int N>
box_motions<N> transposition(const floor_plan<N>& from, const floor_plan<N>& to, const axis_permutation<N>& axes) {
  auto sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != same_axes<N>())
    throw error(error_kind::argument, "transposition", "'axes' are not a permutation of the dimensions");
  const auto seen = from.transformed([&](const box<N>& b) { return permuted<N>(b, axes); });
  return redistribution(seen, to).transformed([axes](const motion<N>& e) {
    return motion<N>{e.from, e.to, permuted<N>(e.source, inverse<N>(axes)), e.destination, axes};
  });
}

template <int N> floor_plan<N> coarsened(const floor_plan<N>& fine, const point<N>& ratio, index_t reach) {
  for (std::size_t d = 0; d < N; ++d)
    if (ratio[d] < 1)
      throw error(error_kind::argument, "coarsened",
                  detail::text("'ratio' is ", ratio[d], " in dimension ", d, ", expected 1 or more"));
  return fine.transformed([&](const box<N>& b) { return grow(coarsen<N>(b, ratio), reach); });
}

#define WHERRY_MOTIONS(N)                                                                                        \
  template box_motions<N> halo_motion(const floor_plan<N>&, const halo_widths<N>&, const domain<N>&,             \
                                      const stencil_shape&);                                                     \
  template box_motions<N> redistribution(const floor_plan<N>&, const floor_plan<N>&, const domain<N>&);          \
  template box_motions<N> redistribution(const floor_plan<N>&, const floor_plan<N>&);                            \
  template box_motions<N> halo_motion(const floor_plan<N>&, const centring<N>&, const halo_widths<N>&,           \
                                      const domain<N>&, const stencil_shape&);                                   \
  template box_motions<N> redistribution(const floor_plan<N>&, const centring<N>&, const floor_plan<N>&,         \
                                         const domain<N>&);                                                      \
  template floor_plan<N> values_of(const floor_plan<N>&, const centring<N>&);                                    \
  template box_motions<N> transposition(const floor_plan<N>&, const floor_plan<N>&, const axis_permutation<N>&); \
  template floor_plan<N> coarsened(const floor_plan<N>&, const point<N>&, index_t);
WHERRY_MOTIONS(1)
WHERRY_MOTIONS(2)
WHERRY_MOTIONS(3)
WHERRY_MOTIONS(4)
WHERRY_MOTIONS(5)
WHERRY_MOTIONS(6)
#undef WHERRY_MOTIONS

}  // namespace wherry
