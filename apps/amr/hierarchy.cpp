#include "hierarchy.hpp"

#include <bit>
#include <cstdint>

#include "cluster.hpp"

namespace amr {
namespace {

box2 square(index_t cells) { return wherry::box_of_extents<2>({cells, cells}); }

/// Makes blocks that do not depend on the number of ranks, and deals them to the ranks along a curve.
wherry::floor_plan<2> coarse_plan(const wherry::communicator& comm, const hierarchy_options& how) {
  const index_t pieces = (how.cells + how.block - 1) / how.block;
  return balance(wherry::even_blocks<2>(square(how.cells), {pieces, pieces},
                                        wherry::owner_map(static_cast<std::size_t>(pieces * pieces), 0)),
                 comm.size());
}

wherry::floor_plan<2> whole_on_every_rank(const wherry::communicator& comm, index_t cells) {
  wherry::floor_plan<2> plan;
  for (int rank = 0; rank < comm.size(); ++rank) plan.add(square(cells), rank);
  return plan;
}

}  // namespace

hierarchy::hierarchy(const wherry::communicator& comm, const hierarchy_options& how) : comm_(comm), how_(how) {
  make_level(coarse_plan(comm, how));
  // The search for a finer level works on the level below it, which then may have to grow.
  for (int i = 1; i < how.levels; ++i) {
    for (const auto& l : levels_) l->set_exact(how.what, 0);
    make_levels(wanted());
  }
  for (const auto& l : levels_) l->set_exact(how.what, 0);
  for (auto i = std::ssize(couplings_); i-- > 0;) couplings_[static_cast<std::size_t>(i)]->average_down();
}

/// Makes the next finer level.
void hierarchy::make_level(const wherry::floor_plan<2>& plan) {
  index_t cells = how_.cells;
  for (std::size_t i = 0; i < levels_.size(); ++i) cells *= ratio;
  levels_.push_back(std::make_unique<level>(comm_, plan, square(cells)));
  if (levels_.size() > 1) couplings_.push_back(std::make_unique<coupling>(**(levels_.end() - 2), *levels_.back()));
}

void hierarchy::make_levels(const std::vector<wherry::floor_plan<2>>& plans) {
  couplings_.clear();
  levels_.resize(1);
  for (const auto& plan : plans) make_level(plan);
}

void hierarchy::fill_ghosts() {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (i > 0) couplings_[i - 1]->fill_ghosts();
    levels_[i]->fill_ghosts();
  }
}

void hierarchy::step(double seconds) {
  fill_ghosts();
  for (const auto& l : levels_) l->find_fluxes(seconds / l->width());
  for (auto i = couplings_.size(); i-- > 0;) couplings_[i]->match_fluxes();
  for (const auto& l : levels_) l->advance(seconds / l->width());
  for (auto i = couplings_.size(); i-- > 0;) couplings_[i]->average_down();
  time_ += seconds;
}

std::vector<char> hierarchy::steep_cells(int number) {
  auto& here = *levels_[static_cast<std::size_t>(number)];
  const double steep = 2 * here.width() * how_.steepness * (1 << number);
  array2 tags(comm_, here.plan()), all(comm_, whole_on_every_rank(comm_, here.space.cells.extent(0)));
  for (const auto& [place, cells, values] : here.u.blocks())
    for_each_point(cells, [&, &u = values, &to = tags[place]](const point2& p) {
      const double x = u(p[0] + 1, p[1]) - u(p[0] - 1, p[1]), y = u(p[0], p[1] + 1) - u(p[0], p[1] - 1);
      to[p] = std::max(std::abs(x), std::abs(y)) > steep ? 1 : 0;
    });
  wherry::mover gather(redistribution(here.plan(), all.plan()), tags, all);
  gather();
  std::vector<char> result;
  const auto& everywhere = all.blocks().front().values;
  for_each_point(here.space.cells, [&](const point2& p) { result.push_back(everywhere[p] != 0); });
  return result;
}

/// Returns boxes around all tagged cells of a level, in cells of the next finer level. Every rank finds the same boxes.
wherry::floor_plan<2> hierarchy::plan_around(const wherry::domain<2>& space, const std::vector<char>& tags,
                                             index_t margin, const wherry::floor_plan<2>* finer) const {
  wherry::grid<char, 2> near(space.cells);
  const auto mark = [&](const box2& around) {
    for_each_image(space, around, space.cells, [&](const point2& offset) {
      for_each_point(intersection(shift(around, offset), space.cells), [&](const point2& q) { near[q] = 1; });
    });
  };
  std::size_t next = 0;
  for_each_point(space.cells, [&](const point2& p) {
    if (tags[next++] != 0) mark(grow(box2{p, {p[0] + 1, p[1] + 1}}, margin));
  });
  // A finer box is first coarsened to cells of the level in between, and then to cells of this level.
  if (finer != nullptr)
    for (const auto& b : finer->boxes()) mark(coarsen(grow(coarsen(b, ratio), nesting), ratio));
  std::vector<box2> boxes;
  for (const auto& b : cluster(space.cells, [&](const point2& p) { return near[p] != 0; }))
    boxes.push_back(refine(b, ratio));
  const wherry::owner_map anybody(boxes.size(), 0);
  return balance(wherry::floor_plan<2>(std::move(boxes), anybody), comm_.size());
}

std::vector<wherry::floor_plan<2>> hierarchy::wanted() {
  fill_ghosts();
  const auto finer = std::min(std::ssize(levels_), std::ptrdiff_t{how_.levels} - 1);
  std::vector<wherry::floor_plan<2>> plans(static_cast<std::size_t>(finer));
  for (auto i = plans.size(); i-- > 0;)
    plans[i] = plan_around(levels_[i]->space, steep_cells(static_cast<int>(i)), how_.margin,
                           i + 1 < plans.size() ? &plans[i + 1] : nullptr);
  return plans;
}

void hierarchy::regrid() {
  if (levels_.size() == 1) return;
  const auto plans = wanted();
  couplings_.clear();
  std::vector<std::unique_ptr<level>> old;
  for (std::size_t i = 1; i < levels_.size(); ++i) old.push_back(std::move(levels_[i]));
  levels_.resize(1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    make_level(plans[i]);
    couplings_.back()->fill_all();
    // Cells that were on this level before keep their values.
    wherry::mover keep(redistribution(old[i]->plan(), levels_.back()->plan()), old[i]->u, levels_.back()->u);
    keep();
  }
}

hierarchy::totals hierarchy::measure() const {
  const auto uncovered = [&](std::size_t i, const box2& cells) {
    wherry::box_list<2> parts{cells};
    if (i + 1 < levels_.size())
      for (const auto& b : levels_[i + 1]->plan().boxes()) parts = difference(parts, coarsen(b, ratio));
    return parts;
  };
  // Each owner sums over its boxes, and the sums of the boxes are added in the order of their numbers, so that the
  // result does not depend on the owners.
  totals sum;
  for (std::size_t level_number = 0; level_number < levels_.size(); ++level_number) {
    const auto& l = *levels_[level_number];
    const auto boxes = static_cast<std::size_t>(l.plan().size());
    std::vector<double> mass(boxes, 0), error(boxes, 0);
    std::vector<std::uint64_t> state(boxes, 0);
    for (const auto& [number, cells, values] : l.u.blocks()) {
      const auto i = static_cast<std::size_t>(number);
      for (const auto& part : uncovered(level_number, cells))
        for_each_point(part, [&, &u = values](const point2& p) {
          mass[i] += u[p];
          error[i] += std::abs(u[p] - l.exact_at(p, how_.what, time_));
          state[i] = wherry::shape_hash(state[i]).add(std::bit_cast<std::uint64_t>(u[p])).value();
        });
    }
    MPI_Allreduce(MPI_IN_PLACE, mass.data(), static_cast<int>(boxes), MPI_DOUBLE, MPI_SUM, comm_.users_handle());
    MPI_Allreduce(MPI_IN_PLACE, error.data(), static_cast<int>(boxes), MPI_DOUBLE, MPI_SUM, comm_.users_handle());
    MPI_Allreduce(MPI_IN_PLACE, state.data(), static_cast<int>(boxes), MPI_UINT64_T, MPI_SUM, comm_.users_handle());
    const double area = l.width() * l.width();
    for (std::size_t i = 0; i < boxes; ++i) {
      sum.mass += mass[i] * area;
      sum.error += error[i] * area;
      sum.state = wherry::shape_hash(sum.state).add(state[i]).value();
    }
  }
  if (levels_.size() > 1)
    for (const auto& b : levels_.back()->plan().boxes())
      sum.refined += static_cast<double>(b.size()) * width() * width();
  return sum;
}

}  // namespace amr
