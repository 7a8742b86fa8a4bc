#include "level.hpp"

#include "scheme.hpp"

namespace amr {

namespace {

array2 on_faces(const wherry::communicator& comm, const wherry::floor_plan<2>& plan, int normal) {
  return array2(comm, plan, wherry::x_array_options<2>{.centring = wherry::centring<2>::faces(normal), .name = "flux"});
}

}  // namespace

level::level(const wherry::communicator& comm, const wherry::floor_plan<2>& plan, const box2& cells)
    : space(wherry::domain<2>::torus(cells)),
      u(comm, plan, wherry::x_array_options<2>{.ghost_width = ghost, .name = "u"}),
      flux{on_faces(comm, plan, 0), on_faces(comm, plan, 1)},
      fill_ghosts(wherry::halo_motion(plan, wherry::halo_widths<2>(ghost), space), u, u) {}

double level::exact_at(const point2& p, shape what, double time) const {
  const auto centre = [&](std::size_t d) { return (static_cast<double>(p[d]) + 0.5) * width(); };
  return exact(what, centre(0), centre(1), time);
}

void level::set_exact(shape what, double time) {
  for (const auto& block : u.blocks())
    for_each_point(block.core, [&](const point2& p) { block.values[p] = exact_at(p, what, time); });
}

void level::find_fluxes(double courant) {
  for (int d = 0; d < 2; ++d)
    for (const auto& [number, faces, values] : flux[static_cast<std::size_t>(d)].blocks())
      amr::find_fluxes(u[number], d, faces, courant, values);
}

void level::advance(double courant) {
  for (const auto& [number, cells, values] : u.blocks())
    amr::advance(values, cells, courant, flux[0][number], flux[1][number]);
}

}  // namespace amr
