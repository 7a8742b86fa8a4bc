/// @file
/// The work of cubes.hpp with Wherry.
#pragma once

#include "wherry/wherry.hpp"

#include "blocks/cubes.hpp"

namespace bench::blocks {

// begin: what a user writes (the floor plan and the array are there before)
inline wherry::mover make_fill(wherry::x_array<double, 3>& u, int n, int width, const std::string& transport) {
  const auto space = wherry::domain<3>::torus(wherry::box_of_extents<3>(wherry::filled<3>(n)));
  return {wherry::halo_motion<3>(u.plan(), width, space), u, u, {.carry = {.transport = transport}}};
}
// end

inline wherry::floor_plan<3> floor_plan_of(const cubes& work) {
  wherry::floor_plan<3> plan;
  for (int i = 0; i < work.boxes(); ++i) {
    const auto at = work.place(i);
    wherry::box<3> b;
    for (std::size_t d = 0; d < 3; ++d) {
      b.lower[d] = at[d] * work.b;
      b.upper[d] = b.lower[d] + work.b;
    }
    plan.add(b, work.owner(i));
  }
  return plan;
}

inline std::vector<box_cells> cells_of(wherry::x_array<double, 3>& u) {
  std::vector<box_cells> local;
  for (const auto& block : u.blocks()) {
    const auto& g = block.values;
    local.push_back({block.number, g.data(), g.strides()[1], g.strides()[2], g.component_stride()});
  }
  return local;
}

}  // namespace bench::blocks
