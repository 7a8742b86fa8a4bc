#include "plan_halo.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "motion/halo_stages.hpp"
#include "motion/staged_motions.hpp"
#include "neighborhood.hpp"

namespace wherry {
namespace {

constexpr detail::checked place_of_cell{"halo_exchange", "place of a cell in bytes"};

[[noreturn]] void fail(std::size_t field, std::string_view what, int rank) {
  throw error(error_kind::argument, "halo_exchange", detail::text("field ", field, ", ", what), rank);
}

template <int N> halo_widths<N> widths_of(const halo_field& field) {
  halo_widths<N> widths(0);
  for (std::size_t a = 0; a < N; ++a) {
    widths.minus[a] = field.halo[a].minus;
    widths.plus[a] = field.halo[a].plus;
  }
  return widths;
}

template <int N> centring<N> centring_of(const halo_field& field) {
  centring<N> on;
  std::copy_n(field.on_planes.begin(), N, on.on_planes.begin());
  return on;
}

plans::field_shape shape_of(const halo_field& field) {
  plans::field_shape shape{field.name, field.element, 0, field.element, field.space, field.type, field.data};
  for (int a = 0; a < field.dimensions; ++a) {
    const auto at = static_cast<std::size_t>(a);
    const index_t reach = place_of_cell.product(std::max<index_t>(0, field.halo[at].length - 1), field.stride[at]);
    auto& end = reach < 0 ? shape.lowest : shape.highest;
    end = place_of_cell.sum(end, reach);
  }
  return shape;
}

/// The floor plan of some fields, and the order in which their halos are filled.
template <int N> struct field_floor {
  floor_plan<N> plan;
  domain<N> space;
  box<N> bounds;
  halo_widths<N> widths;
  centring<N> on;
  std::size_t first, last;  // range of these fields

  std::vector<box_motions<N>> stages(const dimension_groups& groups, const stencil_shape& stencil) const {
    if (on.is_of_cells()) return halo_stages(plan, widths, space, bounds, groups, stencil);
    return {halo_motion(plan, on, widths, space, stencil)};
  }
};

/// Turns the description into fields on floor plans, so that halos become motions like any other.
template <int N> class planner {
 public:
  planner(const halo_description& d, std::vector<field_floor<N>> floors, dimension_groups groups, int rank)
      : d_(d), floors_(std::move(floors)), groups_(std::move(groups)), rank_(rank) {}

  plans::schedule build() const {
    plans::schedule_builder into(pattern(), rank_, {detail::store, d_.operations.mixture});
    for (const auto& subdomain : d_.fields)
      for (const auto& f : subdomain) into.add_field(shape_of(f));
    const auto arrays = arrays_of_fields();
    std::vector<detail::erased_motion> motions;
    motions.reserve(2 * floors_.size());
    std::vector<staged_motion> list;
    const auto add = [&](std::size_t f, std::vector<box_motions<N>> stages, std::size_t stage, int operation) {
      motions.push_back(erase_alike<N>(std::move(stages), arrays[f]));
      const auto first = floors_[f].first;
      const auto field = static_cast<std::int32_t>(first);
      list.push_back({&motions.back(),
                      {into, rank_, field, field, true, operation != detail::store, first, d_.packet_bytes},
                      stage,
                      operation});
    };
    for (std::size_t f = 0; f < floors_.size(); ++f) {
      auto stages = floors_[f].stages(groups_, d_.stencil);
      if (d_.reverse)
        for (auto& s : stages) s = s.reversed();
      add(f, std::move(stages), 0, d_.operations.of(floors_[f].first));
    }
    for (std::size_t f = 0; d_.gives_back && f < floors_.size(); ++f)
      add(f, floors_[f].stages(groups_, d_.stencil), 1, detail::store);
    add_staged(list, into);
    // A rank without cells must have as many stages as the others.
    for (auto s = list.empty() ? 1 : stages(); s < stages(); ++s) into.next_stage();
    return into.finish();
  }

 private:
  std::string_view pattern() const {
    if (d_.gives_back) return "halo exchange of all copies";
    return d_.reverse ? "reverse halo exchange" : "halo exchange";
  }

  std::size_t stages() const { return groups_.size() + (d_.gives_back ? 1 : 0); }

  /// One list of arrays for each floor.
  std::vector<std::vector<detail::array_shape<N>>> arrays_of_fields() const {
    std::vector<std::vector<detail::array_shape<N>>> arrays;
    for (const auto& floor : floors_) {
      const auto plan = std::make_shared<const floor_plan<N>>(floor.plan);
      auto& alike = arrays.emplace_back();
      for (auto f = floor.first; f <= floor.last; ++f) alike.push_back(array_of(f, plan, floor));
    }
    return arrays;
  }

  /// The array that consists of field f on all of the rank's subdomains.
  detail::array_shape<N> array_of(std::size_t f, std::shared_ptr<const floor_plan<N>> plan,
                                  const field_floor<N>& floor) const {
    detail::array_shape<N> array;
    const auto& first = d_.fields.front()[f];
    array.plan = std::move(plan);
    array.ghost_width = floor.widths;
    array.centring = floor.on;
    array.element = first.element;
    array.type = first.type;
    array.space = first.space;
    for (std::size_t a = 0; a < N && !d_.wire_order.empty(); ++a)
      array.layout.place[static_cast<std::size_t>(d_.wire_order[f][a])] = static_cast<int>(a);
    for (std::size_t s = 0; s < d_.subdomains.size(); ++s) array.grids.push_back(grid_of(array, s, f));
    return array;
  }

  detail::placed_grid<N> grid_of(const detail::array_shape<N>& array, std::size_t s, std::size_t f) const {
    const auto& field = d_.fields[s][f];
    detail::placed_grid<N> grid;
    grid.number = d_.subdomains[s];
    grid.field = static_cast<int>(s * d_.fields[s].size());
    grid.whole = array.whole(grid.number);
    point<N> core;
    for (std::size_t a = 0; a < N; ++a) {
      const auto& h = field.halo[a];
      core[a] = std::max<index_t>(0, h.core() - array.centring.planes()[a]);
      grid.strides[a] = field.stride[a];
      grid.offset = place_of_cell.sum(grid.offset, place_of_cell.product(h.begin - h.minus, field.stride[a]));
    }
    check_core(f, box_of_extents<N>(core), (*array.plan)[grid.number]);
    return grid;
  }

  void check_core(std::size_t f, const box<N>& core, const box<N>& wanted) const {
    if (core.empty() && wanted.empty()) return;  // then it makes no difference which extents are 0
    for (int a = 0; a < N; ++a)
      if (core.extent(a) != wanted.extent(a))
        fail(f,
             detail::text("dimension ", a, " has a core of ", core.extent(a), " cells, but the floor plan gives it ",
                          wanted.extent(a)),
             rank_);
  }

  const halo_description& d_;
  std::vector<field_floor<N>> floors_;
  dimension_groups groups_;
  int rank_;
};

/// The order that the description allows.
halo_order order_of(const halo_description& d) {
  if (!d.stencil.is_all() || d.reverse) return halo_order::direct;
  return d.order == halo_order::automatic && d.on_device ? halo_order::direct : d.order;
}

/// The number of fields that move: none on a rank without subdomains.
std::size_t moving_fields(const halo_description& d) { return d.subdomains.empty() ? 0 : d.fields.front().size(); }

/// Makes one floor for each run of fields with the same floor plan, halo widths and operation, which are planned
/// together.
/// @param add adds the floor of the first field of a run
template <int N, class Same, class Add>
std::vector<field_floor<N>> floors_of(const halo_description& d, Same&& on_one_floor, Add&& add) {
  std::vector<field_floor<N>> floors;
  for (std::size_t f = 0; f < moving_fields(d); ++f) {
    const auto widths = widths_of<N>(d.fields.front()[f]);
    if (f > 0 && floors.back().widths == widths && d.operations.of(f - 1) == d.operations.of(f) &&
        on_one_floor(f - 1, f))
      floors.back().last = f;
    else
      floors.push_back(add(f, widths));
  }
  return floors;
}

template <int N>
plans::schedule plan_on_grid(const halo_description& d, const std::vector<regular_floor_plan>& cuts, int rank) {
  std::vector<bool> wrapped;
  for (int a = 0; a < N; ++a)
    wrapped.push_back(
        std::all_of(cuts.begin(), cuts.end(), [a](const regular_floor_plan& c) { return c.wraps_to_itself(a); }));
  const auto cells_of = [&](std::size_t f) -> const regular_floor_plan& { return cuts[cuts.size() == 1 ? 0 : f]; };
  auto floors = floors_of<N>(
      d, [&](std::size_t a, std::size_t b) { return cells_of(a).shares_with(cells_of(b)); },
      [&](std::size_t f, const halo_widths<N>& widths) {
        const auto space = detail::space_of<N>(cells_of(f));
        return field_floor<N>{
            neighborhood<N>(cells_of(f), d.subdomains, {widths, f, rank}), space, space.cells, widths, {}, f, f};
      });
  return planner<N>(d, std::move(floors), halo_groups(order_of(d), wrapped), rank).build();
}

}  // namespace

void check_halo_field(const halo_field& field, int rank) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "halo_exchange", detail::text("field '", field.name, "': ", what), rank);
  };
  if (field.element < 1) fail(detail::text("the element size is ", field.element, " bytes, expected 1 or more"));
  if (field.dimensions < 1 || field.dimensions > max_halo_dimensions)
    fail(detail::text("it has ", field.dimensions, " dimensions, expected 1 to ", max_halo_dimensions));
  for (int a = 0; a < field.dimensions; ++a) {
    const auto& h = field.halo[static_cast<std::size_t>(a)];
    if (h.minus < 0) fail(detail::text("dimension ", a, ": minus is ", h.minus, ", a halo width cannot be negative"));
    if (h.plus < 0) fail(detail::text("dimension ", a, ": plus is ", h.plus, ", a halo width cannot be negative"));
    // The limit keeps all sums and differences below in range.
    constexpr index_t most = std::numeric_limits<index_t>::max() / 4;
    for (const index_t figure : {h.minus, h.plus, h.begin, h.end, h.length})
      if (figure > most || figure < -most) fail(detail::text("dimension ", a, ": ", figure, " is too large"));
    if (h.core() < 0)
      fail(detail::text("dimension ", a, ": end ", h.end, " lies before begin ", h.begin, "; of ", h.length,
                        " elements the halo takes ", h.minus + h.plus));
    if (h.begin - h.minus < 0)
      fail(detail::text("dimension ", a, ": begin ", h.begin, " leaves no room for minus ", h.minus));
    if (h.end + h.plus >= h.length)
      fail(detail::text("dimension ", a, ": end ", h.end, " and plus ", h.plus, " reach past the length ", h.length));
  }
}

plans::schedule plan_halo(const halo_description& description, const std::vector<regular_floor_plan>& cuts, int rank) {
  switch (cuts.front().dimensions()) {
    case 1:
      return plan_on_grid<1>(description, cuts, rank);
    case 2:
      return plan_on_grid<2>(description, cuts, rank);
    case 3:
      return plan_on_grid<3>(description, cuts, rank);
    default:
      return plan_on_grid<4>(description, cuts, rank);
  }
}

template <int N>
plans::schedule plan_halo(const halo_description& description, const floor_plan<N>& plan, const domain<N>& space,
                          int rank) {
  const auto bounds = plan.bounding_box();
  const auto centring_of_field = [&](std::size_t f) { return centring_of<N>(description.fields.front()[f]); };
  auto floors = floors_of<N>(
      description, [&](std::size_t a, std::size_t b) { return centring_of_field(a) == centring_of_field(b); },
      [&](std::size_t f, const halo_widths<N>& widths) {
        return field_floor<N>{plan, space, bounds, widths, centring_of_field(f), f, f};
      });
  const auto order = description.on_planes ? halo_order::direct : order_of(description);
  return planner<N>(description, std::move(floors), halo_groups(plan, space, order), rank).build();
}

#define WHERRY_PLAN_HALO(N) \
  template plans::schedule plan_halo(const halo_description&, const floor_plan<N>&, const domain<N>&, int);
WHERRY_PLAN_HALO(1)
WHERRY_PLAN_HALO(2)
WHERRY_PLAN_HALO(3)
WHERRY_PLAN_HALO(4)
#undef WHERRY_PLAN_HALO

}  // namespace wherry
