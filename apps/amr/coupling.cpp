#include "coupling.hpp"

#include "scheme.hpp"

namespace amr {
namespace {

constexpr point2 by{ratio, ratio};

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
      cells_(coarse.u, fine.u, coarse.space, by),
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

void coupling::fill_ghosts() { cells_.fill_ghosts(interpolate); }

void coupling::fill_all() { cells_.fill_all(interpolate); }

void coupling::match_fluxes() {
  for (int d = 0; d < 2; ++d) {
    auto& r = registers_[static_cast<std::size_t>(d)];
    for (const auto& [number, faces, values] : r.flux.blocks())
      average_faces(fine_.flux[static_cast<std::size_t>(d)][r.box[static_cast<std::size_t>(number)]], d, values, faces);
  }
  give_fluxes_();
}

}  // namespace amr
