/// @file
/// Couples two levels of refinement, for values in cells or on planes. The coarse level fills the fine ghost cells that
/// lie outside all fine boxes. The fine level sets the coarse cells under it to averages.
///
///     wherry::level_coupling levels(coarse, fine, space, 2);
///     levels.fill_ghosts(interpolate);  // fine ghost cells outside all fine boxes
///     fill_ghosts_of_fine();            // the others, by ghost_filler(fine, refine(space, 2)), before or after
///     levels.average_down();            // after a step of both levels
///
/// `space` is the domain in coarse cells. The coupling does not read coarse ghost cells; if the step of the coarse
/// level does, `ghost_filler(coarse, space)` fills them. Fine boxes begin and end at edges of coarse cells: decompose
/// the fine region with `{.multiple_of = …}` (motion/decompose.hpp). A hierarchy with more levels needs one coupling
/// for each pair of neighbouring levels.
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

/// Options of a level coupling. All but `carry.team` and `carry.name` must be the same on all ranks.
struct level_options {
  /// The number of coarse cells that an interpolation reads around the one that contains a fine cell. The coupling
  /// copies these cells, so the coarse array needs no ghost cells for them.
  index_t reach = 1;
  /// For values on planes: averages only the values at the rim of the refined region. For fluxes this is refluxing,
  /// which replaces the fluxes of the coarse cells beside the fine level.
  bool only_rim = false;
  carry_options carry{};  ///< the transport, and other things that change how data travels, but not where to
};

namespace detail {

/// The arguments that must be the same on all ranks.
struct level_terms {
  std::span<const index_t> ratio;
  index_t reach;
  bool only_rim;
  std::span<const bool> coarse_on_planes, fine_on_planes;
  int coarse_components, fine_components;
  std::uint64_t coarse_floor, fine_floor;  ///< fingerprints of complete floor plans; 0 for partial ones
  std::span<const index_t> lower, upper;   ///< corners of the domain
  std::span<const bool> periodic;
  std::string problem;  ///< an objection to this rank's boxes; may differ between ranks
};
/// Compares the arguments. Collective over `comm`. @throws error(argument) or error(mismatch) on all ranks alike
void check_levels(const communicator& comm, const level_terms& all);
/// Throws on all ranks if some rank has a problem. Collective over `comm`. @throws error(argument) on all ranks alike
void check_levels(const communicator& comm, const std::string& problem);
[[noreturn]] void throw_not_started(const communicator& comm);

}  // namespace detail

/// The coupling of a fine level to the coarse level below it. All data between the levels travels as coarse cells; the
/// user provides the interpolation and, unless the mean is wanted, the average.
///
/// `interpolate(coarse, fine, cells)` sets the cells `cells` of the fine grid from the coarse cells that contain them
/// and `reach` more coarse cells around these. The coarse grid has coarse indices: the cell that contains the fine cell
/// p is `floor_divide(p[d], ratio[d])` in dimension d, which is negative in images of a periodic domain. Its arguments
/// are a `grid_view<const T, N>`, a `grid_view<T, N>` and a `box<N>`.
///
/// Values on planes (`x_array_options::centring`, the same in both arrays) are coupled in the same way. The boxes are
/// then boxes of values, and a fine value between two coarse planes is interpolated from both. Only values on coarse
/// planes are averaged.
///
/// Fine boxes must begin and end at edges of coarse cells. The coarse level must cover each fine box, its ghost cells
/// and `reach` coarse cells more on every side, except beyond an edge of the domain that is not periodic. The
/// interpolation sees zeros where coarse cells are missing; WHERRY_CHECK=1 reports this as an error. Both arrays may
/// have complete or partial floor plans, and must outlive the coupling. Each start uses the memory that the two objects
/// have then, so that arrays of the same shape may be swapped between two uses.
template <class T, int N> class level_coupling {
 public:
  /// Finds the ghost cells of the fine boxes that no fine box holds (`uncovered_ghosts`), and binds the motion of the
  /// coarse cells that they need. Collective over the communicator of `fine`.
  /// @param space the domain in coarse cells
  /// @param ratio the width of a coarse cell divided by that of a fine cell, at least 1 in each dimension
  /// @throws error(argument) on all ranks alike for a ratio below 1, a negative reach, arrays with different numbers of
  ///         components or different centring, a fine box that begins or ends inside a coarse cell, or `only_rim` for
  ///         values in cells; error(mismatch) if arguments differ between ranks
  level_coupling(x_array<T, N>& coarse, x_array<T, N>& fine, const domain<N>& space, const point<N>& ratio,
                 const level_options& options = {})
      : coarse_(&coarse), fine_(&fine), space_(space), ratio_(ratio), how_(options) {
    const auto &below = coarse.shape(), &above = fine.shape();
    detail::check_levels(fine.comm(),
                         {ratio_, options.reach, options.only_rim, below.centring.on_planes, above.centring.on_planes,
                          below.components, above.components, coarse.plan().fingerprint(), fine.plan().fingerprint(),
                          space.cells.lower, space.cells.upper, space.periodic, misplaced()});
    const auto fine_space = refine(space, ratio);
    const auto near = resolved(fine.plan(), reach_of(above.ghost_width, on()), fine_space);
    ghosts_ =
        uncovered_ghosts(values_of(near, on()), above.ghost_width, values_of(fine_space, on()), fine.comm().rank());
    below_ghosts_.emplace(fetched(ghosts_));
  }

  /// The same with one ratio for all dimensions.
  template <std::integral Number>
  level_coupling(x_array<T, N>& coarse, x_array<T, N>& fine, const domain<N>& space, Number ratio,
                 const level_options& options = {})
      : level_coupling(coarse, fine, space, filled<N>(static_cast<index_t>(ratio)), options) {}

  /// Fills the ghost cells of the fine level that no fine box holds. Collective.
  template <class Interpolate> void fill_ghosts(Interpolate&& interpolate) {
    start_ghosts();
    wait_ghosts(interpolate);
  }
  /// Begins to fill ghost cells; `wait_ghosts` completes it. Between the two calls, the coarse cells must not be
  /// changed; their ghost cells may. The fine level may be changed, and its own ghost filler may run. Both calls are
  /// collective.
  void start_ghosts() { below_ghosts_->fetch.start(std::as_const(*coarse_), below_ghosts_->cells); }
  /// Makes progress. True if all coarse cells have arrived, so that `wait_ghosts` only interpolates.
  bool test_ghosts() { return below_ghosts_->fetch.test(); }
  template <class Interpolate> void wait_ghosts(Interpolate&& interpolate) {
    below_ghosts_->fetch.wait();
    interpolate_all(*below_ghosts_, ghosts_, interpolate);
  }
  /// Fills all cells of the fine level except ghost cells, for fine boxes that are new. Plans the motion anew in each
  /// call. Collective.
  template <class Interpolate> void fill_all(Interpolate&& interpolate) {
    std::vector<box_part<N>> whole;
    for (const auto& block : fine_->blocks())
      if (!block.core.empty()) whole.push_back({block.number, block.core});
    auto below = fetched(whole);
    below.fetch();
    interpolate_all(below, whole, interpolate);
  }

  /// Sets the coarse cells below the fine boxes by `average(fine, coarse, cells)`, which sets `cells`, given in coarse
  /// indices, of the grid `coarse` from the grid `fine`. If several fine boxes share a value, its owner provides the
  /// average. The first call plans and binds the motion. Collective.
  template <class Average> void average_down(Average&& average) {
    start_average_down(average);
    wait_average_down();
  }
  /// Begins to average down; `wait_average_down` completes it. The first call reads the fine level, which may be
  /// changed afterwards; the coarse level may be written to until the second call returns. Both calls are collective.
  template <class Average> void start_average_down(Average&& average) {
    if (!means_) bind_means();
    for (std::size_t i = 0; i < means_->parts.size(); ++i) {
      const grid_view<const T, N> fine = (*fine_)[means_->parts[i].number];
      average(fine, means_->cells.blocks()[i].values, means_->parts[i].cells);
    }
    means_->give.start(std::as_const(means_->cells), *coarse_);
  }
  bool test_average_down() { return on_its_way_down().test(); }
  /// @throws error(state) on this rank if `start_average_down` was never called
  void wait_average_down() { on_its_way_down().wait(); }
  /// Sets the coarse cells to the mean of the fine values above them, which conserves the integral. Collective.
  void average_down()
    requires std::floating_point<T>
  {
    T share = 1;
    point<N> wide = ratio_;  // number of fine values in the mean, along each dimension
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

  /// The transports, tables and statistics of both directions; those of averaging only once it has been bound.
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

  /// The width of a coarse cell divided by that of a fine cell.
  const point<N>& ratio() const { return ratio_; }
  /// The fine ghost cells that the coarse level provides, in the order of this rank's boxes.
  const std::vector<box_part<N>>& ghosts() const { return ghosts_; }

 private:
  /// Copies of coarse cells on the rank that owns the fine cells above them, and the mover that fetches them.
  struct copy_below {
    x_array<T, N> cells;
    mover fetch;
  };
  /// The coarse averages on the rank that owns the fine cells, and the mover that sends them to the coarse level.
  struct means_below {
    std::vector<box_part<N>> parts;
    x_array<T, N> cells;
    mover give;
  };

  mover& on_its_way_down() {
    if (!means_) detail::throw_not_started(fine_->comm());
    return means_->give;
  }
  const centring<N>& on() const { return fine_->shape().centring; }
  /// The plan with all boxes that touch this rank's boxes.
  floor_plan<N> resolved(const floor_plan<N>& plan, const halo_widths<N>& reach, const domain<N>& space) const {
    return plan.complete() ? plan : resolve(fine_->comm(), plan, reach, space);
  }

  /// Names a fine box that begins or ends inside a coarse cell; empty if there is none.
  std::string misplaced() const {
    for (const auto& block : std::as_const(*fine_).blocks())
      for (std::size_t d = 0; d < N; ++d)
        for (const auto& cells = fine_->plan()[block.number]; const index_t end : {cells.lower[d], cells.upper[d]})
          if (ratio_[d] > 0 && end % ratio_[d] != 0 && !cells.empty())
            return detail::text("fine box ", block.number, " begins or ends at ", end, " in dimension ", d,
                                ", within a coarse cell of ", ratio_[d]);
    return {};
  }

  /// Under WHERRY_CHECK=1, checks that the coarse level has all cells that are to be fetched.
  void check_nesting(const std::vector<box<N>>& mine, const floor_plan<N>& coarse) const {
    if (!current_settings().check) return;
    std::string missing;
    if (const auto parts = detail::uncovered(mine, values_of(coarse, on()), values_of(space_, on())); !parts.empty()) {
      for (std::size_t d = 0; d < N; ++d) missing += detail::text(missing.empty() ? "" : ", ", parts.front().lower[d]);
      missing = detail::text("the fine boxes need coarse cell (", missing, "), which no coarse box has");
    }
    detail::check_levels(fine_->comm(), missing);
  }

  x_array_options<N> components() const {
    const auto& shape = fine_->shape();
    return {.components = shape.components, .element = {shape.element, shape.type}};
  }

  /// Makes a motion between the coarse array and an array over the boxes `below` of coarse values. Each rank knows only
  /// its own boxes of the latter. `make` gets the two floor plans, resolved together.
  template <class Make> auto with_resolved(const std::vector<box<N>>& below, Make&& make) {
    const auto own = coarse_->plan();
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

  /// The coarse values that contain or surround fine values, without `reach`.
  box<N> coarse_around(const box<N>& fine) const {
    auto coarse = coarsen<N>(fine, ratio_);
    for (std::size_t d = 0; d < N; ++d)
      if (on().on_planes[d] && (fine.upper[d] - 1) % ratio_[d] != 0) ++coarse.upper[d];
    return coarse;
  }

  copy_below fetched(const std::vector<box_part<N>>& parts) {
    std::vector<box<N>> mine;
    for (const auto& part : parts) mine.push_back(grow(coarse_around(part.cells), how_.reach));
    return with_resolved(mine, [&](const resolved_pair<floor_plan<N>>& both) {
      check_nesting(mine, both.from);
      x_array<T, N> cells(fine_->comm(), both.to, components());
      mover fetch(redistribution(both.from, on(), both.to, space_), std::as_const(*coarse_), cells,
                  {.carry = how_.carry});
      return copy_below{std::move(cells), std::move(fetch)};
    });
  }

  /// The coarse values that this rank's fine boxes provide. Each value is provided by one box.
  std::vector<box_part<N>> given() const {
    const halo_widths<N> around(on().planes());
    const auto plan = resolved(coarsened(fine_->plan(), ratio_), around, space_);
    const auto rank = fine_->comm().rank();
    auto parts = owned_values(plan, on(), space_, rank);
    return how_.only_rim ? at_rim(parts, uncovered_ghosts(plan, around, space_, rank)) : parts;
  }

  /// The parts of `parts` at the rim: values beside a cell that no fine box holds.
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
    means_.emplace(with_resolved(mine, [&](const resolved_pair<floor_plan<N>>& both) {
      x_array<T, N> cells(fine_->comm(), both.to, components());
      mover give(redistribution(both.to, values_of(both.from, on()), space_), std::as_const(cells), *coarse_,
                 {.carry = how_.carry});
      return means_below{std::move(parts), std::move(cells), std::move(give)};
    }));
  }

  /// Interpolates all parts. The grids of `below` are in the order of `parts`.
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
