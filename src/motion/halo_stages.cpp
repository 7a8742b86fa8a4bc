#include "halo_stages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr const char* in_halo_stages = "halo_stages";

/// The boxes of a plan as the pieces of their bounding box, which is cut along planes.
template <int N> class cuts {
 public:
  cuts(const floor_plan<N>& plan, const domain<N>& space) : problem_(examine(plan, space)) {}

  /// Why the boxes are not such pieces; empty if they are.
  const std::string& problem() const { return problem_; }
  /// For each dimension, true if every box spans it and it is periodic.
  std::vector<bool> wrapped(const domain<N>& space) const {
    std::vector<bool> result;
    for (std::size_t d = 0; d < N; ++d) result.push_back(space.periodic[d] && pieces_[d].size() <= 1);
    return result;
  }

 private:
  struct piece {
    index_t lower, upper;
    auto operator<=>(const piece&) const = default;
  };

  std::string examine(const floor_plan<N>& plan, const domain<N>& space) {
    if (!plan.complete()) return "the floor plan is partial";
    const auto bounds = plan.bounding_box();
    std::size_t boxes = 0, places = 1;
    for (const auto& b : plan.boxes()) {
      if (b.empty()) continue;
      ++boxes;
      for (std::size_t d = 0; d < N; ++d) pieces_[d].push_back({b.lower[d], b.upper[d]});
    }
    for (std::size_t d = 0; d < N && boxes > 0; ++d) {
      auto& along = pieces_[d];
      std::sort(along.begin(), along.end());
      along.erase(std::unique(along.begin(), along.end()), along.end());
      for (std::size_t i = 1; i < along.size(); ++i)
        if (along[i].lower != along[i - 1].upper)
          return detail::text("in dimension ", d, " one goes from ", along[i - 1].lower, " to ", along[i - 1].upper,
                              " and another from ", along[i].lower, " to ", along[i].upper);
      if (space.periodic[d] && bounds.extent(static_cast<int>(d)) != space.cells.extent(static_cast<int>(d)))
        return detail::text("in periodic dimension ", d, " they have ", bounds.extent(static_cast<int>(d)), " of ",
                            space.cells.extent(static_cast<int>(d)), " cells");
      places *= along.size();
      if (places > boxes) break;  // an error already, and a longer product might overflow
    }
    if (boxes == 0) return {};
    if (boxes != places) return detail::text("there are ", boxes, " of them and ", places, " places");
    std::vector<std::uint8_t> taken(places);
    for (const auto& b : plan.boxes())
      if (!b.empty() && std::exchange(taken[place_of(b)], std::uint8_t{1}) != 0) return "two are at one place";
    return {};
  }

  std::size_t place_of(const box<N>& b) const {
    std::size_t place = 0;
    for (std::size_t d = N; d-- > 0;) {
      const auto& along = pieces_[d];
      const auto found = std::lower_bound(along.begin(), along.end(), piece{b.lower[d], b.upper[d]});
      place = place * along.size() + static_cast<std::size_t>(found - along.begin());
    }
    return place;
  }

  std::array<std::vector<piece>, static_cast<std::size_t>(N)> pieces_;  // along each dimension, ascending
  std::string problem_;
};

/// The entry with its sections extended by the ghost cells along the dimensions that are `done`, as far as there are
/// cells.
template <int N>
motion<N> with_ghosts_before(motion<N> entry, const std::vector<int>& done, const box<N>& bounds,
                             const domain<N>& space, const halo_widths<N>& widths) {
  const auto cells = entry.destination;
  for (const int dimension : done) {
    const auto d = static_cast<std::size_t>(dimension);
    const auto within = [&](index_t width, index_t room) { return space.periodic[d] ? width : std::min(width, room); };
    const index_t minus = within(widths.minus[d], cells.lower[d] - bounds.lower[d]),
                  plus = within(widths.plus[d], bounds.upper[d] - cells.upper[d]);
    for (auto* side : {&entry.source, &entry.destination}) {
      side->lower[d] -= minus;
      side->upper[d] += plus;
    }
  }
  return entry;
}

}  // namespace

dimension_groups halo_groups(halo_order order, const std::vector<bool>& wrapped) {
  std::vector<int> all, split;
  dimension_groups alone, last;
  for (int d = 0; d < static_cast<int>(wrapped.size()); ++d) {
    all.push_back(d);
    alone.push_back({d});
    wrapped[static_cast<std::size_t>(d)] ? last.push_back({d}) : split.push_back(d);
  }
  if (order == halo_order::direct) return {all};
  if (order == halo_order::by_dimension) return alone;
  if (!split.empty()) last.insert(last.begin(), split);
  return last;
}

template <int N> dimension_groups halo_groups(const floor_plan<N>& plan, const domain<N>& space, halo_order order) {
  const std::vector<bool> unknown(static_cast<std::size_t>(N));
  if (order == halo_order::direct) return halo_groups(order, unknown);
  const cuts<N> found(plan, space);
  if (found.problem().empty()) return halo_groups(order, found.wrapped(space));
  if (order == halo_order::automatic) return halo_groups(halo_order::direct, unknown);
  throw error(error_kind::argument, in_halo_stages,
              detail::text("the boxes do not stand in rows and columns: ", found.problem()));
}

template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        const box<N>& bounds, const dimension_groups& groups,
                                        const stencil_shape& stencil) {
  std::vector<box_motions<N>> stages;
  std::vector<int> done;
  for (const auto& together : groups) {
    halo_widths<N> along(0);
    for (const int dimension : together) {
      const auto d = static_cast<std::size_t>(dimension);
      along.minus[d] = widths.minus[d];
      along.plus[d] = widths.plus[d];
    }
    auto stage = halo_motion(plan, along, space, stencil);
    if (!done.empty())
      stage = stage.transformed(
          [=](const motion<N>& entry) { return with_ghosts_before(entry, done, bounds, space, widths); });
    stages.push_back(std::move(stage));
    done.insert(done.end(), together.begin(), together.end());
  }
  return stages;
}

template <int N>
std::vector<box_motions<N>> halo_stages(const floor_plan<N>& plan, const halo_widths<N>& widths, const domain<N>& space,
                                        halo_order order) {
  return halo_stages(plan, widths, space, plan.bounding_box(), halo_groups(plan, space, order));
}

#define WHERRY_HALO_STAGES(N)                                                                                     \
  template dimension_groups halo_groups(const floor_plan<N>&, const domain<N>&, halo_order);                      \
  template std::vector<box_motions<N>> halo_stages(const floor_plan<N>&, const halo_widths<N>&, const domain<N>&, \
                                                   const box<N>&, const dimension_groups&, const stencil_shape&); \
  template std::vector<box_motions<N>> halo_stages(const floor_plan<N>&, const halo_widths<N>&, const domain<N>&, \
                                                   halo_order);
WHERRY_HALO_STAGES(1)
WHERRY_HALO_STAGES(2)
WHERRY_HALO_STAGES(3)
WHERRY_HALO_STAGES(4)
WHERRY_HALO_STAGES(5)
WHERRY_HALO_STAGES(6)
#undef WHERRY_HALO_STAGES

}  // namespace wherry
