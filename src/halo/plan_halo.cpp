#include "wherry/halo/plan_halo.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/schedule_builder.hpp"

#include "motion/halo_stages.hpp"
#include "motion/plan_motion.hpp"

namespace wherry {
namespace {

constexpr checked place_of_cell{"halo_exchange", "place of a cell in bytes"};

/// What was described, as fields on floor plans: from there on halos are motions like any other.
template <int N> class planner {
 public:
  planner(const halo_description& d, int rank)
      : d_(d), rank_(rank), plan_(d.reverse ? "reverse halo exchange" : "halo exchange", rank, {d.operation}) {}

  schedule build() {
    for (const auto& subdomain : d_.fields)
      for (const auto& f : subdomain) plan_.add_field(shape_of(f));
    const auto groups = halo_groups(order(), wrapped());
    std::vector<array_shape<N>> arrays;
    std::vector<std::vector<box_motions<N>>> motions;
    for (std::size_t f = 0; f < fields(); ++f) {
      arrays.push_back(array_of(f));
      const auto space = space_of(cut(f));
      motions.push_back(halo_stages(*arrays.back().plan, arrays.back().ghost, space, space.cells, groups, d_.stencil));
    }
    for (std::size_t s = 0; s < groups.size(); ++s) {
      if (s > 0) plan_.next_stage();
      for (std::size_t f = 0; f < fields(); ++f) {
        const auto number = static_cast<std::int32_t>(f);
        plan_motion(d_.reverse ? motions[f][s].reversed() : motions[f][s], arrays[f], arrays[f],
                    {plan_, rank_, number, number, true, d_.operation != store, f});
      }
    }
    return plan_.finish();
  }

 private:
  /// Without subdomains nothing moves, whatever there is.
  std::size_t fields() const { return d_.subdomains.empty() ? 0 : d_.fields.front().size(); }
  const decomposition& cut(std::size_t field) const { return d_.cuts[d_.cuts.size() == 1 ? 0 : field]; }

  halo_order order() const {
    return d_.stencil.is_all() && !d_.reverse && d_.operation == store ? d_.order : halo_order::direct;
  }
  std::vector<bool> wrapped() const {
    std::vector<bool> result;
    for (int a = 0; a < N; ++a)
      result.push_back(
          std::all_of(d_.cuts.begin(), d_.cuts.end(), [a](const decomposition& c) { return c.wraps_to_itself(a); }));
    return result;
  }

  static domain<N> space_of(const decomposition& cells) {
    domain<N> space;
    for (int a = 0; a < N; ++a) {
      space.cells.upper[static_cast<std::size_t>(a)] = cells.cells(a);
      space.periodic[static_cast<std::size_t>(a)] = cells.periodic(a);
    }
    return space;
  }

  /// Field f on all of the rank's subdomains.
  array_shape<N> array_of(std::size_t f) const {
    array_shape<N> array;
    const auto& first = d_.fields.front()[f];
    array.element = first.element;
    array.type = first.type;
    array.space = first.space;
    for (std::size_t a = 0; a < N; ++a) {
      array.ghost.minus[a] = first.halo[a].minus;
      array.ghost.plus[a] = first.halo[a].plus;
      if (!d_.wire_order.empty())
        array.order.place[static_cast<std::size_t>(d_.wire_order[f][a])] = static_cast<int>(a);
    }
    for (std::size_t s = 0; s < d_.subdomains.size(); ++s) check_core(s, f);
    array.plan = std::make_shared<const floor_plan<N>>(neighborhood(f));
    for (std::size_t s = 0; s < d_.subdomains.size(); ++s) array.grids.push_back(grid_of(array, s, f));
    return array;
  }

  placed_grid<N> grid_of(const array_shape<N>& array, std::size_t s, std::size_t f) const {
    const auto& field = d_.fields[s][f];
    placed_grid<N> grid;
    grid.number = d_.subdomains[s];
    grid.field = static_cast<int>(s * d_.fields[s].size());
    grid.whole = array.whole(grid.number);
    for (std::size_t a = 0; a < N; ++a) {
      const auto& h = field.halo[a];
      grid.strides[a] = field.stride[a];
      grid.offset = place_of_cell.sum(grid.offset, place_of_cell.product(h.begin - h.minus, field.stride[a]));
    }
    return grid;
  }

  /// The rank's subdomains and those beside them: all that it has to know of the grid.
  floor_plan<N> neighborhood(std::size_t f) const {
    const auto& cells = cut(f);
    std::map<int, box<N>> known;
    for (const int mine : d_.subdomains) {
      const auto here = cells.coordinates(mine);
      known[mine] = box_at(cells, here);
      if (cells.empty(here)) continue;
      box<N> around;
      around.lower.fill(-1);
      around.upper.fill(2);
      for_each_point(around, [&](const point<N>& p) {
        direction way{};
        auto there = here;
        for (std::size_t a = 0; a < N; ++a) {
          way[a] = static_cast<int>(p[a]);
          const auto axis = static_cast<int>(a);
          if (way[a] != 0 && (there[a] = cells.neighbor(axis, here[a], way[a])) < 0) return;
        }
        const int other = cells.number(there);
        known[other] = box_at(cells, there);
        if (way != direction{} && d_.stencil.contains(way)) check_neighbor(f, way, there, other);
      });
    }
    std::vector<int> numbers;
    std::vector<box<N>> boxes;
    owner_map owners;
    for (const auto& [number, cells_of_it] : known) {
      numbers.push_back(number);
      boxes.push_back(cells_of_it);
      owners.push_back(cells.owner(number));
    }
    return {cells.subdomains(), std::move(numbers), std::move(boxes), std::move(owners)};
  }

  static box<N> box_at(const decomposition& cells, const subdomain_coordinates& at) {
    box<N> result;
    for (std::size_t a = 0; a < N; ++a) {
      const auto axis = static_cast<int>(a);
      result.lower[a] = cells.first(axis, at[a]);
      result.upper[a] = result.lower[a] + cells.size(axis, at[a]);
    }
    return result;
  }

  static field_shape shape_of(const halo_field& field) {
    field_shape shape{field.name, field.element, 0, field.element, field.space, field.type};
    for (int a = 0; a < field.dimensions; ++a) {
      const auto at = static_cast<std::size_t>(a);
      const index_t reach = place_of_cell.product(std::max<index_t>(0, field.halo[at].length - 1), field.stride[at]);
      auto& end = reach < 0 ? shape.lowest : shape.highest;
      end = place_of_cell.sum(end, reach);
    }
    return shape;
  }

  void check_core(std::size_t s, std::size_t f) const {
    const auto here = cut(f).coordinates(d_.subdomains[s]);
    for (int a = 0; a < N; ++a) {
      const auto at = static_cast<std::size_t>(a);
      const index_t core = std::max<index_t>(0, d_.fields[s][f].halo[at].core()), wanted = cut(f).size(a, here[at]);
      if (core != wanted)
        fail(f, text("dimension ", a, " has a core of ", core, " cells, the decomposition gives it ", wanted));
    }
  }

  void check_neighbor(std::size_t f, const direction& way, const subdomain_coordinates& there, int number) const {
    for (int a = 0; a < N; ++a) {
      const auto at = static_cast<std::size_t>(a);
      if (way[at] == 0) continue;
      const auto& h = d_.fields.front()[f].halo[at];
      const index_t width = way[at] < 0 ? h.minus : h.plus, core = cut(f).size(a, there[at]);
      if (width > core)
        fail(f, text("dimension ", a, ": the ", way[at] < 0 ? "minus" : "plus", " halo of ", width,
                     " cells is wider than the neighbour's core of ", core));
    }
    if (cut(f).owner(number) == rank_ && !std::binary_search(d_.subdomains.begin(), d_.subdomains.end(), number))
      fail(f, text("subdomain ", number, " belongs to this rank but was not given to it"));
  }

  [[noreturn]] void fail(std::size_t f, std::string_view what) const {
    throw error(error_kind::argument, "halo_exchange", text("field ", f, ", ", what), rank_);
  }

  const halo_description& d_;
  int rank_;
  schedule_builder plan_;
};

}  // namespace

void check_halo_field(const halo_field& field, int rank) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "halo_exchange", text("field '", field.name, "': ", what), rank);
  };
  if (field.element < 1) fail(text("the element size is ", field.element));
  if (field.dimensions < 1 || field.dimensions > max_halo_dimensions)
    fail(text("it has ", field.dimensions, " dimensions; 1 to ", max_halo_dimensions, " are possible"));
  for (int a = 0; a < field.dimensions; ++a) {
    const auto& h = field.halo[static_cast<std::size_t>(a)];
    if (h.minus < 0) fail(text("dimension ", a, ": minus is ", h.minus, ", a halo width cannot be negative"));
    if (h.plus < 0) fail(text("dimension ", a, ": plus is ", h.plus, ", a halo width cannot be negative"));
    // No sum or difference below is out of range then.
    constexpr index_t most = std::numeric_limits<index_t>::max() / 4;
    for (const index_t figure : {h.minus, h.plus, h.begin, h.end, h.length})
      if (figure > most || figure < -most) fail(text("dimension ", a, ": ", figure, " is too large"));
    if (h.core() < 0) fail(text("dimension ", a, ": end ", h.end, " lies before begin ", h.begin));
    if (h.begin - h.minus < 0) fail(text("dimension ", a, ": begin ", h.begin, " leaves no room for minus ", h.minus));
    if (h.end + h.plus >= h.length)
      fail(text("dimension ", a, ": end ", h.end, " and plus ", h.plus, " reach past the length ", h.length));
  }
}

schedule plan_halo(const halo_description& description, int rank) {
  switch (description.cuts.front().dimensions()) {
    case 1:
      return planner<1>(description, rank).build();
    case 2:
      return planner<2>(description, rank).build();
    case 3:
      return planner<3>(description, rank).build();
    default:
      return planner<4>(description, rank).build();
  }
}

}  // namespace wherry
