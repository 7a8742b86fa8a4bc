// The one way from motions between arrays to a schedule: of halos, ghost fills, redistributions, whatever a mover is
// given. Pure; no MPI.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/motion/movement.hpp"
#include "wherry/plan/schedule_builder.hpp"

namespace wherry {

/// A motion among others, how it arrives, and when.
struct staged_motion {
  const detail::erased_motion* motion;
  detail::inspection where;
  std::size_t stage = 0;
  int operation = detail::store;
};

/// Adds what this rank has of them. The motions of a stage take their steps side by side, before the next stage begins;
/// each step is a stage of the schedule.
/// @param list ascending by stage
/// @throws error(argument)
void add_staged(std::span<const staged_motion> list, schedule_builder& into);

/// Of arrays into themselves that lie alike: on one floor plan, with as many ghost cells and one centring. An entry is
/// made and checked once for all of them; the fields and the number of each follow those of the one before. The arrays
/// must outlive it.
template <int N>
detail::erased_motion erase_alike(std::vector<motion_builder<motion_plan<N>>> stages,
                                  std::span<const detail::array_shape<N>> arrays);

}  // namespace wherry
