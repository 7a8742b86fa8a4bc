// Turns motions between arrays into a schedule, for halo exchanges and movers alike. Makes no MPI call.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "wherry/motion/movement.hpp"
#include "wherry/plan/schedule_builder.hpp"

namespace wherry {

/// One motion of a list, with its operation and its stage.
struct staged_motion {
  const detail::erased_motion* motion;
  detail::inspection where;
  std::size_t stage = 0;
  int operation = detail::store;
};

/// Adds this rank's part of all motions. A motion may have several steps. The motions of one stage take their steps
/// side by side, and each step is a stage of the schedule.
/// @param list ascending by stage
/// @throws error(argument)
void add_staged(std::span<const staged_motion> list, plans::schedule_builder& into);

/// Makes the erased form of motions of several arrays, each into itself, that have the same floor plan, ghost widths
/// and centring. Each entry is made and checked once for all arrays. The fields and the number of an array follow those
/// of the array before. The arrays must outlive the result.
template <int N>
detail::erased_motion erase_alike(std::vector<plans::motion_builder<motion_plan<N>>> stages,
                                  std::span<const detail::array_shape<N>> arrays);

}  // namespace wherry
