#include "hierarchy.hpp"

#include <bit>

#include "cluster.hpp"

namespace amr {
namespace {

box2 square(index_t cells) { return wherry::box_of<2>({cells, cells}); }

/// Blocks that do not depend on the number of ranks, dealt along a curve.
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

hierarchy::hierarchy(const wherry::communicator& comm, const hierarchy_options& how)
    : comm_(comm),
      how_(how),
      coarse_(comm, coarse_plan(comm, how), square(how.cells)),
      tags_(comm, coarse_.floor()),
      all_tags_(comm, whole_on_every_rank(comm, how.cells)),
      gather_tags_(redistribution(coarse_.floor(), all_tags_.floor()), tags_, all_tags_) {
  coarse_.set_exact(how.what, 0);
  if (!how.refine) return;
  make_fine(wanted());
  fine_->set_exact(how.what, 0);
  coupling_->average_down();
}

void hierarchy::make_fine(const wherry::floor_plan<2>& plan) {
  coupling_.reset();
  fine_ = std::make_unique<level>(comm_, plan, square(ratio * how_.cells));
  coupling_ = std::make_unique<coupling>(coarse_, *fine_);
}

void hierarchy::step(double seconds) {
  coarse_.fill_ghosts();
  coarse_.find_fluxes(seconds / coarse_.width());
  if (fine_) {
    coupling_->fill_ghosts();
    fine_->fill_ghosts();
    fine_->find_fluxes(seconds / fine_->width());
    coupling_->match_fluxes();
    fine_->advance(seconds / fine_->width());
  }
  coarse_.advance(seconds / coarse_.width());
  if (fine_) coupling_->average_down();
  time_ += seconds;
}

/// Fine boxes around all coarse cells where the solution is steep, found by every rank alike.
wherry::floor_plan<2> hierarchy::wanted() {
  coarse_.fill_ghosts();
  const double steep = 2 * coarse_.width() * how_.steepness;
  for (const auto& [number, cells, values] : coarse_.u.blocks())
    for_each_point(cells, [&, &u = values, &tags = tags_[number]](const point2& p) {
      const double x = u(p[0] + 1, p[1]) - u(p[0] - 1, p[1]), y = u(p[0], p[1] + 1) - u(p[0], p[1] - 1);
      tags[p] = std::max(std::abs(x), std::abs(y)) > steep ? 1 : 0;
    });
  gather_tags_();
  const auto& tags = all_tags_.blocks().front().values;
  const auto space = coarse_.space;
  wherry::grid<char, 2> near(space.cells);
  for_each_point(space.cells, [&](const point2& p) {
    if (tags[p] == 0) return;
    const auto around = grow(box2{p, {p[0] + 1, p[1] + 1}}, how_.margin);
    for_each_image(space, around, space.cells, [&](const point2& offset) {
      for_each_point(intersection(shift(around, offset), space.cells), [&](const point2& q) { near[q] = 1; });
    });
  });
  std::vector<box2> boxes;
  for (const auto& b : cluster(space.cells, [&](const point2& p) { return near[p] != 0; }))
    boxes.push_back(refine(b, ratio));
  const wherry::owner_map anybody(boxes.size(), 0);
  return balance(wherry::floor_plan<2>(std::move(boxes), anybody), comm_.size());
}

void hierarchy::regrid() {
  if (!fine_) return;
  const auto old = std::move(fine_);
  make_fine(wanted());
  coupling_->fill_all();
  // What was fine before stays as it is.
  wherry::mover keep(redistribution(old->floor(), fine_->floor()), old->u, fine_->u);
  keep();
}

hierarchy::totals hierarchy::measure() const {
  const auto under = fine_ ? coarsened(fine_->floor(), point2{ratio, ratio}) : wherry::floor_plan<2>{};
  const auto uncovered = [&](const box2& cells) {
    wherry::box_list<2> parts{cells};
    for (const auto& b : under.boxes()) parts = difference(parts, b);
    return parts;
  };
  // Each box by its owner, then all in the order of their numbers: a sum that does not know who owns what.
  totals sum;
  const auto add = [&](const level& l, auto&& cells_that_count) {
    const auto boxes = static_cast<std::size_t>(l.floor().size());
    std::vector<double> mass(boxes, 0), error(boxes, 0);
    std::vector<std::uint64_t> state(boxes, 0);
    for (const auto& [number, cells, values] : l.u.blocks()) {
      const auto i = static_cast<std::size_t>(number);
      for (const auto& part : cells_that_count(cells))
        for_each_point(part, [&, &u = values](const point2& p) {
          mass[i] += u[p];
          error[i] += std::abs(u[p] - l.exact_at(p, how_.what, time_));
          state[i] = (state[i] ^ std::bit_cast<std::uint64_t>(u[p])) * 1099511628211u;
        });
    }
    MPI_Allreduce(MPI_IN_PLACE, mass.data(), static_cast<int>(boxes), MPI_DOUBLE, MPI_SUM, comm_.handle());
    MPI_Allreduce(MPI_IN_PLACE, error.data(), static_cast<int>(boxes), MPI_DOUBLE, MPI_SUM, comm_.handle());
    MPI_Allreduce(MPI_IN_PLACE, state.data(), static_cast<int>(boxes), MPI_UINT64_T, MPI_SUM, comm_.handle());
    const double area = l.width() * l.width();
    for (std::size_t i = 0; i < boxes; ++i) {
      sum.mass += mass[i] * area;
      sum.error += error[i] * area;
      sum.state = (sum.state ^ state[i]) * 1099511628211u;
    }
  };
  add(coarse_, uncovered);
  if (fine_) {
    add(*fine_, [](const box2& cells) { return wherry::box_list<2>{cells}; });
    for (const auto& b : fine_->floor().boxes()) sum.refined += static_cast<double>(b.size());
    sum.refined *= fine_->width() * fine_->width();
  }
  return sum;
}

}  // namespace amr
