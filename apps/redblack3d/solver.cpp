#include "solver.hpp"

namespace redblack3d {
namespace {

using wherry::box;

range3 range_of(const box<3>& b) {
  return {{b.lower[0], b.lower[1], b.lower[2]}, {b.upper[0], b.upper[1], b.upper[2]}};
}
array3 array_of(const wherry::grid_view<double, 3>& g) {
  const auto& first = g.cells().lower;
  return {g.data(), {first[0], first[1], first[2]}, g.strides()[1], g.strides()[2]};
}

// begin: what a user writes
wherry::floor_plan<3> cut_into_blocks(const problem& what, int ranks) {
  wherry::owner_map owners;
  for (int b = 0; b < what.block_count(); ++b) owners.push_back(b * ranks / what.block_count());
  return wherry::even_blocks<3>({{1, 1, 1}, {what.n + 1, what.n + 1, what.n + 1}},
                                {what.blocks[0], what.blocks[1], what.blocks[2]}, owners);
}

wherry::box_motions<3> halo_update(const wherry::floor_plan<3>& plan) {
  const auto open = wherry::domain<3>::open(plan.bounding_box());
  return wherry::halo_motion(plan, wherry::halo_widths<3>(1), open, wherry::stencil_shape::faces());
}
// end

/// The cells of a block whose neighbours are all in the block or on the surface of the cube. They need no ghost cells.
box<3> interior(const box<3>& cells, const box<3>& cube) {
  box<3> inner = grow(cells, -1);
  for (std::size_t d = 0; d < 3; ++d) {
    if (cells.lower[d] == cube.lower[d]) inner.lower[d] = cells.lower[d];
    if (cells.upper[d] == cube.upper[d]) inner.upper[d] = cells.upper[d];
  }
  return inner;
}

constexpr long red = 0, black = 1;

}  // namespace

// begin: what a user writes
solver::solver(const wherry::communicator& comm, const problem& what, const wherry::mover_options& how)
    : what_(what),
      plan_(cut_into_blocks(what, comm.size())),
      u_(comm, plan_, wherry::x_array_options<3>{.ghost_width = 1}),
      f_(comm, plan_),
      fill_ghosts_(wherry::mover(halo_update(plan_), u_, u_, how)) {
  reset();
}
// end

void solver::sweep() {
  for (const long colour : {red, black}) {
    fill_ghosts_.start();
    fill_ghosts_.wait();
    for (const auto& [number, cells, u] : u_.blocks())
      kernels().relax(array_of(u), array_of(f_[number]), range_of(cells), colour);
  }
}

void solver::sweep_overlapped() {
  const auto cube = plan_.bounding_box();
  for (const long colour : {red, black}) {
    fill_ghosts_.start();
    for (const auto& [number, cells, u] : u_.blocks())
      kernels().relax(array_of(u), array_of(f_[number]), range_of(interior(cells, cube)), colour);
    fill_ghosts_.wait();
    for (const auto& [number, cells, u] : u_.blocks())
      for (const auto& part : difference(cells, interior(cells, cube)))
        kernels().relax(array_of(u), array_of(f_[number]), range_of(part), colour);
  }
}

void solver::reset() {
  for (const auto& [number, cells, u] : u_.blocks()) {
    set_first_guess(what_, array_of(u), range_of(u.cells()));
    set_right_hand_side(what_, array_of(f_[number]), range_of(cells));
  }
}

state solver::look() {
  state mine;
  for (const auto& [number, cells, u] : u_.blocks()) look_at(what_, array_of(u), range_of(cells), mine);
  return mine;
}

}  // namespace redblack3d
