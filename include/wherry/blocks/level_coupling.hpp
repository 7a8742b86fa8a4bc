/// @file
/// Two levels of refinement: fine boxes over coarse ones, and what goes from one to the other, in cells or on planes.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/settings.hpp"
#include "wherry/geometry/box_calculus.hpp"
#include "wherry/motion/box_parts.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/motion/resolve.hpp"
#include "wherry/motion/x_array.hpp"

namespace wherry {

struct level_options {
  index_t reach = 1;  ///< coarse cells around the one above a fine cell that an interpolation reads
  /// Of values on planes, only those at the rim of what is refined are averaged down: the fluxes that make up for those
  /// of coarse cells beside fine ones.
  bool only_rim = false;
  carry_options carry{};
};

namespace detail {

/// What the ranks must agree on.
struct level_terms {
  std::span<const index_t> ratio;
  index_t reach;
  bool only_rim;
  std::span<const bool> coarse_on_planes, fine_on_planes;
  int coarse_components, fine_components;
  std::uint64_t coarse_floor, fine_floor;  ///< of complete floor plans a word; else 0
  std::span<const index_t> lower, upper;   ///< of the domain
  std::span<const bool> periodic;
  std::string problem;  ///< of this rank's boxes; need not be agreed on
};
/// Collective. @throws error(argument, mismatch) on all ranks alike
void check_levels(const communicator& comm, const level_terms& all);
/// The same for a problem that a rank may have, in words.
void check_levels(const communicator& comm, const std::string& problem);
[[noreturn]] void throw_not_started(const communicator& comm);

}  // namespace detail

/// The coupling of a fine level to the coarse one below it. What a fine box needs of the coarse level, and gives to it,
/// travels as coarse cells; the interpolation, and the mean, are the user's.
///
///     wherry::level_coupling levels(coarse, fine, space, {2, 2});
///     fill_coarse_ghosts(); levels.fill_ghosts(interpolate); fill_fine_ghosts();  // … a step of both …
///     levels.average_down();
///
/// `interpolate(coarse, fine, cells)` sets `cells` of a fine grid from the coarse cells below them and `reach` more
/// around (`grid_view<const T, N>`, `grid_view<T, N>`, `box<N>`).
/// Arrays on planes (`x_array_options::on`, both alike) are coupled in the same way: boxes are then of values, and
/// below a fine value are the coarse planes on both sides of it. What is averaged are values on the same planes; of
/// flows through faces, with `only_rim`, that is what refluxing wants. Fine boxes begin and end where coarse cells do.
/// They lie where there are coarse boxes, and so far from where these end that their ghost cells, and what is read
/// around, are above coarse cells too: WHERRY_CHECK=1 finds where they are not, else the interpolation sees zeroes
/// there, as it does beyond a domain that is not periodic. Both arrays may be of complete or of partial floor plans.
/// They must outlive it.
template <class T, int N> class level_coupling {
 public:
  /// Collective. Only those ghost cells of the fine boxes travel that no fine box holds (`uncovered_ghosts`).
  /// @param space the domain in coarse cells
  /// @param ratio of the widths of coarse and fine cells, at least 1
  /// @throws error(argument) on all ranks alike for another ratio, a negative reach, arrays of different components or
  ///         centring, a box that divides a coarse cell, `only_rim` of cells; error(mismatch) where ranks disagree
  level_coupling(x_array<T, N>& coarse, x_array<T, N>& fine, const domain<N>& space, const point<N>& ratio,
                 const level_options& how = {})
      : coarse_(&coarse), fine_(&fine), space_(space), ratio_(ratio), how_(how) {
    const auto &below = coarse.shape(), &above = fine.shape();
    detail::check_levels(fine.comm(),
                         {ratio_, how.reach, how.only_rim, below.on.on_planes, above.on.on_planes, below.components,
                          above.components, coarse.floor().fingerprint(), fine.floor().fingerprint(), space.cells.lower,
                          space.cells.upper, space.periodic, misplaced()});
    auto fine_space = space;
    fine_space.cells = refine<N>(space.cells, ratio);
    const auto near = resolved(fine.floor(), reach_of(above.ghost, on()), fine_space);
    ghosts_ = uncovered_ghosts(values_of(near, on()), above.ghost, values_of(fine_space, on()), fine.comm().rank());
    below_ghosts_.emplace(fetched(ghosts_));
  }

  /// Collective: the ghost cells of the fine level that the coarse one must give.
  template <class Interpolate> void fill_ghosts(Interpolate&& interpolate) {
    start_ghosts();
    wait_ghosts(interpolate);
  }
  /// The same in two halves: until `wait_ghosts` has returned the coarse level must not be changed; what is fine may be
  /// computed. Collective each.
  void start_ghosts() { below_ghosts_->fetch.start(); }
  /// Makes progress; true when `wait_ghosts` has only to interpolate.
  bool test_ghosts() { return below_ghosts_->fetch.test(); }
  template <class Interpolate> void wait_ghosts(Interpolate&& interpolate) {
    below_ghosts_->fetch.wait();
    interpolate_all(*below_ghosts_, ghosts_, interpolate);
  }
  /// Collective: all cells of the fine level, ghost cells not: of boxes that are new.
  template <class Interpolate> void fill_all(Interpolate&& interpolate) {
    std::vector<box_part<N>> whole;
    for (const auto& block : fine_->blocks())
      if (!block.cells.empty()) whole.push_back({block.number, block.cells});
    auto below = fetched(whole);
    below.fetch();
    interpolate_all(below, whole, interpolate);
  }

  /// Collective: coarse cells below fine ones become what `average(fine, coarse, cells)` makes of them (`cells` are
  /// coarse ones). What several fine boxes share is asked of the one whose it is.
  template <class Average> void average_down(Average&& average) {
    start_average_down(average);
    wait_average_down();
  }
  /// The same in two halves: the fine level is read by the first one, the coarse one written to by the second.
  template <class Average> void start_average_down(Average&& average) {
    if (!means_) bind_means();
    for (std::size_t i = 0; i < means_->parts.size(); ++i) {
      const grid_view<const T, N> fine = (*fine_)[means_->parts[i].number];
      average(fine, means_->cells.blocks()[i].values, means_->parts[i].cells);
    }
    means_->give.start();
  }
  bool test_average_down() { return on_its_way_down().test(); }
  /// @throws error(state) where none was ever started
  void wait_average_down() { on_its_way_down().wait(); }
  /// Their mean: what the level holds in all stays the same.
  void average_down()
    requires std::floating_point<T>
  {
    T share = 1;
    point<N> wide = ratio_;  // the fine values that a coarse one is the mean of
    for (std::size_t d = 0; d < N; ++d) {
      if (on().on_planes[d]) wide[d] = 1;
      share /= static_cast<T>(wide[d]);
    }
    average_down([&](const grid_view<const T, N>& fine, const grid_view<T, N>& coarse, const box<N>& cells) {
      for (int c = 0; c < coarse.components(); ++c)
        for_each_point(cells, [&](const point<N>& p) {
          box<N> above;
          for (std::size_t d = 0; d < N; ++d) above.upper[d] = (above.lower[d] = p[d] * ratio_[d]) + wide[d];
          T sum = 0;
          for_each_point(above, [&](const point<N>& q) { sum += fine(q, c); });
          coarse(p, c) = sum * share;
        });
    });
  }

  /// Of what goes up into ghost cells, and of what comes down, where that has been asked for.
  std::string transport() const {
    const auto up = below_ghosts_->fetch.transport();
    const auto down = means_ ? means_->give.transport() : up;
    return up == down ? up : up + " up, " + down + " down";
  }
  std::string explain() const {
    auto all = "up, into ghost cells\n" + below_ghosts_->fetch.explain();
    return means_ ? all + "down, means\n" + means_->give.explain() : all;
  }
  exchange_statistics statistics() const {
    auto all = below_ghosts_->fetch.statistics();
    return means_ ? all += means_->give.statistics() : all;
  }

  /// The fine ghost cells that the coarse level gives, by the numbers of this rank's boxes.
  const std::vector<box_part<N>>& ghosts() const { return ghosts_; }

 private:
  /// Coarse cells at the rank that has the fine ones above them, and how they come there or go back.
  struct copy_below {
    x_array<T, N> cells;
    mover fetch;
  };
  struct means_below {
    std::vector<box_part<N>> parts;
    x_array<T, N> cells;
    mover give;
  };

  mover& on_its_way_down() {
    if (!means_) detail::throw_not_started(fine_->comm());
    return means_->give;
  }
  const centring<N>& on() const { return fine_->shape().on; }
  /// What touches the rank's boxes is known.
  floor_plan<N> resolved(const floor_plan<N>& plan, const halo_widths<N>& reach, const domain<N>& space) const {
    return plan.complete() ? plan : resolve(fine_->comm(), plan, reach, space);
  }

  /// A box that begins or ends within a coarse cell, in words; empty where there is none.
  std::string misplaced() const {
    for (const auto& block : std::as_const(*fine_).blocks())
      for (std::size_t d = 0; d < N; ++d)
        for (const auto& cells = fine_->floor()[block.number]; const index_t end : {cells.lower[d], cells.upper[d]})
          if (ratio_[d] > 0 && end % ratio_[d] != 0 && !cells.empty())
            return detail::text("fine box ", block.number, " begins or ends at ", end, " in dimension ", d,
                                ", within a coarse cell of ", ratio_[d]);
    return {};
  }

  /// What is fetched must be there: see WHERRY_CHECK.
  void check_nesting(const std::vector<box<N>>& mine, const floor_plan<N>& coarse) const {
    if (!current_settings().check) return;
    std::string missing;
    if (const auto parts = uncovered(mine, values_of(coarse, on()), values_of(space_, on())); !parts.empty()) {
      for (std::size_t d = 0; d < N; ++d) missing += detail::text(missing.empty() ? "" : ", ", parts.front().lower[d]);
      missing = detail::text("fine boxes need coarse cell (", missing, "), which no coarse box has");
    }
    detail::check_levels(fine_->comm(), missing);
  }

  x_array_options<N> components() const { return {.components = fine_->shape().components}; }

  /// Between the coarse array and another one, over boxes of coarse values of which each rank knows its own; `make` is
  /// given what the two know of each other.
  template <class Make> auto with_resolved(const std::vector<box<N>>& below, Make&& make) {
    const auto own = coarse_->floor();
    const auto both = resolve(fine_->comm(), own, on(), distributed_floor_plan(fine_->comm(), below), space_);
    coarse_->adopt(both.from);
    try {
      auto made = make(both);
      coarse_->adopt(own);
      return made;
    } catch (...) {
      coarse_->adopt(own);
      throw;
    }
  }

  /// The coarse values around fine ones, without `reach`.
  box<N> coarse_around(const box<N>& fine) const {
    auto coarse = coarsen<N>(fine, ratio_);
    for (std::size_t d = 0; d < N; ++d)
      if (on().on_planes[d] && (fine.upper[d] - 1) % ratio_[d] != 0) ++coarse.upper[d];
    return coarse;
  }

  copy_below fetched(const std::vector<box_part<N>>& parts) {
    std::vector<box<N>> mine;
    for (const auto& part : parts) mine.push_back(grow(coarse_around(part.cells), how_.reach));
    return with_resolved(mine, [&](const resolved_pair<N>& both) {
      check_nesting(mine, both.from);
      x_array<T, N> cells(fine_->comm(), both.to, components());
      mover fetch(redistribution(both.from, on(), both.to, space_), {.carry = how_.carry}, std::as_const(*coarse_),
                  cells);
      return copy_below{std::move(cells), std::move(fetch)};
    });
  }

  /// The coarse values that this rank's fine boxes give, each by one box.
  std::vector<box_part<N>> given() const {
    const halo_widths<N> around(on().planes());
    const auto plan = resolved(coarsened(fine_->floor(), ratio_), around, space_);
    const auto rank = fine_->comm().rank();
    auto parts = owned_values(plan, on(), space_, rank);
    return how_.only_rim ? at_rim(parts, uncovered_ghosts(plan, around, space_, rank)) : parts;
  }

  /// Those that have a cell around them that no box holds.
  std::vector<box_part<N>> at_rim(const std::vector<box_part<N>>& parts,
                                  const std::vector<box_part<N>>& cells_not_held) const {
    std::vector<box_part<N>> result;
    auto first = cells_not_held.begin();  // both are in the order of the boxes
    for (const auto& part : parts) {
      while (first != cells_not_held.end() && first->number < part.number) ++first;
      std::vector<box<N>> rim;
      for (auto outside = first; outside != cells_not_held.end() && outside->number == part.number; ++outside)
        rim.push_back(intersection(values_of(outside->cells, on()), part.cells));
      for (const auto& cells : union_of(rim)) result.push_back({part.number, cells});
    }
    return result;
  }

  void bind_means() {
    auto parts = given();
    std::vector<box<N>> mine;
    for (const auto& part : parts) mine.push_back(part.cells);
    means_.emplace(with_resolved(mine, [&](const resolved_pair<N>& both) {
      x_array<T, N> cells(fine_->comm(), both.to, components());
      mover give(redistribution(both.to, values_of(both.from, on()), space_), {.carry = how_.carry},
                 std::as_const(cells), *coarse_);
      return means_below{std::move(parts), std::move(cells), std::move(give)};
    }));
  }

  /// The grids of `below` are in the order of the parts.
  template <class Interpolate>
  void interpolate_all(copy_below& below, const std::vector<box_part<N>>& parts, Interpolate&& interpolate) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const grid_view<const T, N> coarse = below.cells.blocks()[i].values;
      interpolate(coarse, (*fine_)[parts[i].number], parts[i].cells);
    }
  }

  x_array<T, N>*coarse_, *fine_;
  domain<N> space_;
  point<N> ratio_;
  level_options how_;
  std::vector<box_part<N>> ghosts_;
  std::optional<copy_below> below_ghosts_;
  std::optional<means_below> means_;
};

}  // namespace wherry
