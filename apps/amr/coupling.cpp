#include "coupling.hpp"

#include "scheme.hpp"

namespace amr {
namespace {

constexpr point2 by{ratio, ratio};
constexpr index_t reach = (ghost + ratio - 1) / ratio + 1;

/// The parts of `cells` that no box of the plan covers, nor a periodic image of one.
wherry::box_list<2> uncovered(const box2& cells, const wherry::floor_plan<2>& plan, const wherry::domain<2>& space) {
  wherry::box_list<2> parts{cells};
  for (const auto& b : plan.boxes())
    for_each_image(space, b, cells, [&](const point2& offset) { parts = difference(parts, shift(b, offset)); });
  return parts;
}

wherry::movement common_faces(const array2& from, level& to, std::size_t dimension) {
  return {redistribution(from.floor(), to.flux[dimension].floor(), to.space), from, to.flux[dimension]};
}

}  // namespace

coupling::coupling(level& coarse, level& fine)
    : fine_(fine),
      under_(fine.u.comm(), coarsened(fine.floor(), by, reach)),
      means_(fine.u.comm(), coarsened(fine.floor(), by)),
      fetch_(redistribution(coarse.floor(), under_.floor(), coarse.space), coarse.u, under_),
      give_means_(redistribution(means_.floor(), coarse.floor(), coarse.space), means_, coarse.u),
      registers_{make_registers(coarse, fine, 0), make_registers(coarse, fine, 1)},
      give_fluxes_({common_faces(registers_[0].flux, coarse, 0), common_faces(registers_[1].flux, coarse, 1)}) {}

coupling::registers coupling::make_registers(level& coarse, level& fine, int dimension) {
  const auto under = coarsened(fine.floor(), by);
  wherry::floor_plan<2> plan;
  std::vector<int> box;
  for (int i = 0; i < under.size(); ++i)
    for (const int side : {-1, +1})
      for (auto faces : uncovered(outer_layers(under[i], dimension, side, 1), under, coarse.space)) {
        // The face of a cell that is below the box is the one above the cell.
        if (side < 0) faces = shift(faces, dimension == 0 ? point2{1, 0} : point2{0, 1});
        plan.add(faces, under.owner(i));
        box.push_back(i);
      }
  return {array2(fine.u.comm(), plan), std::move(box)};
}

void coupling::fill_ghosts() {
  fetch_();
  for (const auto& [number, cells, values] : fine_.u.blocks())
    for (const auto& part : wherry::halo_shell(cells, ghost)) interpolate(under_[number], values, part);
}

void coupling::fill_all() {
  fetch_();
  for (const auto& [number, cells, values] : fine_.u.blocks()) interpolate(under_[number], values, cells);
}

void coupling::match_fluxes() {
  for (int d = 0; d < 2; ++d) {
    auto& r = registers_[static_cast<std::size_t>(d)];
    for (const auto& [number, faces, values] : r.flux.blocks())
      average_faces(fine_.flux[static_cast<std::size_t>(d)][r.box[static_cast<std::size_t>(number)]], d, values, faces);
  }
  give_fluxes_();
}

void coupling::average_down() {
  for (const auto& [number, cells, values] : means_.blocks()) average(fine_.u[number], values, cells);
  give_means_();
}

}  // namespace amr
