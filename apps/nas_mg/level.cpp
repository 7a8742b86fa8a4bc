#include "level.hpp"

#include "problem.hpp"

namespace nas_mg {
namespace {

const wherry::halo_widths<3> width(1);

array make_array(const wherry::communicator& comm, const cut& how, const char* name) {
  return array(comm, how.blocks(), {.ghost_width = width, .name = name});
}

/// The parity of the first cell of this rank's block.
alignment parity_of(const array& fine) {
  if (fine.blocks().empty()) return {};
  const auto& first = fine.blocks().front().core.lower;
  return {static_cast<int>(first[0] % 2), static_cast<int>(first[1] % 2), static_cast<int>(first[2] % 2)};
}

}  // namespace

brick brick_of(array& cells) {
  if (cells.blocks().empty() || cells.blocks().front().core.empty()) return {nullptr, 0, 0, 0, 0, 0};
  const auto& [number, box, values] = cells.blocks().front();
  return {&values[box.lower], values.strides()[1], values.strides()[2], box.extent(0), box.extent(1), box.extent(2)};
}

brick planes_of(brick whole, long first, long last) {
  whole.first += first * whole.plane;
  whole.nz = last - first;
  return whole;
}

ghost_fill::ghost_fill(array& cells, const cut& how, const communication& by)
    : overlapped_(by.overlapped &&  // planes need other axes' ghost cells, from this rank
                  how.pieces(0) == 1 && how.pieces(1) == 1) {
  if (by.by_hand) {
    by_hand_ = std::make_unique<hand_written_fill>(MPI_COMM_WORLD, cells.comm().rank(), how, brick_of(cells));
    return;
  }
  // begin: what a user writes
  mover_.emplace(wherry::halo_motion(cells.plan(), width, how.space()), cells, cells,
                 wherry::mover_options{.carry = {.transport = by.transport}});
  // end
}

void ghost_fill::start() {
  const double began = MPI_Wtime();
  if (mover_)
    mover_->start();
  else
    by_hand_->start();
  seconds_ += MPI_Wtime() - began;
}

void ghost_fill::wait() {
  const double began = MPI_Wtime();
  if (mover_)
    mover_->wait();
  else
    by_hand_->wait();
  seconds_ += MPI_Wtime() - began;
}

level::level(const wherry::communicator& comm, const cut& how, const communication& by)
    : cells(how),
      u(make_array(comm, how, "u")),
      r(make_array(comm, how, "r")),
      fill_u(u, how, by),
      fill_r(r, how, by) {}

staircase::staircase(const wherry::communicator& comm, level& fine, level& coarse, const communication& by)
    : fine_(&fine), coarse_(&coarse), where_(parity_of(fine.u)) {
  const cut by_fine = coarsened(fine.cells);
  if (by_fine != coarse.cells) landing_ = std::make_unique<landing>(comm, coarse, by_fine, by);
}

staircase::landing::landing(const wherry::communicator& comm, level& coarse, const cut& by_fine,
                            const communication& by)
    : values(make_array(comm, by_fine, "landing")),
      down(wherry::redistribution(values.plan(), coarse.r.plan()), values, coarse.r,
           {.carry = {.transport = by.transport}}),
      // Ghost cells are included; they may come from across the periodic edge.
      up(wherry::redistribution(coarse.u.plan(),
                                values.plan().transformed([](const wherry::box<3>& b) { return grow(b, 1); }),
                                by_fine.space()),
         coarse.u, values, {.carry = {.transport = by.transport}}) {}

void staircase::move(wherry::mover& one) {
  const double began = MPI_Wtime();
  one();
  seconds_ += MPI_Wtime() - began;
}

void staircase::restrict_residual() {
  fine_->fill_r();
  kernels().restrict_to(brick_of(fine_->r), brick_of(landing_ ? landing_->values : coarse_->r), where_);
  if (landing_) move(landing_->down);
}

void staircase::correct_and_find_residual(bool add, array& right) {
  if (landing_)
    move(landing_->up);
  else
    coarse_->fill_u();
  array& from = landing_ ? landing_->values : coarse_->u;
  kernels().interpolate_and_find_residual(brick_of(from), brick_of(fine_->u), where_, add, brick_of(right),
                                          brick_of(fine_->r), laplacian.data());
}

}  // namespace nas_mg
