#include "level.hpp"

#include "scheme.hpp"

namespace amr {

wherry::floor_plan<2> faces_of(const wherry::floor_plan<2>& plan, int dimension) {
  return plan.transformed([dimension](const box2& b) { return faces_of(b, dimension); });
}

level::level(const wherry::communicator& comm, const wherry::floor_plan<2>& plan, const box2& cells)
    : space(wherry::domain<2>::torus(cells)),
      u(comm, plan, wherry::x_array_options<2>{.ghost = ghost, .name = "u"}),
      flux{array2(comm, faces_of(plan, 0)), array2(comm, faces_of(plan, 1))},
      fill_ghosts(wherry::halo_motion(plan, wherry::halo_widths<2>(ghost), space), u, u) {}

double level::exact_at(const point2& p, shape what, double time) const {
  const auto centre = [&](std::size_t d) { return (static_cast<double>(p[d]) + 0.5) * width(); };
  return exact(what, centre(0), centre(1), time);
}

void level::set_exact(shape what, double time) {
  for (const auto& block : u.blocks())
    for_each_point(block.cells, [&](const point2& p) { block.values[p] = exact_at(p, what, time); });
}

void level::find_fluxes(double courant) {
  for (const auto& [number, cells, values] : u.blocks())
    for (int d = 0; d < 2; ++d)
      amr::find_fluxes(values, d, faces_of(cells, d), courant, flux[static_cast<std::size_t>(d)][number]);
}

void level::advance(double courant) {
  for (const auto& [number, cells, values] : u.blocks())
    amr::advance(values, cells, courant, flux[0][number], flux[1][number]);
}

}  // namespace amr
