/// @file
/// Gives Wherry the threads of an OpenMP program, which then pack and copy long messages. The header is compiled with
/// your program and uses its OpenMP; without OpenMP it declares nothing.
///
///     wherry::halo_exchange exchange(grid, u, {.carry = {.team = wherry::openmp_team()}});
///
/// Programs without OpenMP use `thread_team::of_its_own`.
#pragma once

#include "wherry/core/thread_team.hpp"

#if defined(_OPENMP)

#include <omp.h>

namespace wherry {

/// A team that opens a parallel region of `size` threads for each task. Local. Inside a parallel region of the program,
/// OpenMP gives the team one thread unless nesting is enabled, so that the caller works alone.
inline thread_team openmp_team(int size = omp_get_max_threads()) {
  return {size, [size](thread_team::work work, void* what) {
  // OpenMP may give fewer threads than it is asked for.
#pragma omp parallel for num_threads(size) schedule(static, 1)
            for (int number = 0; number < size; ++number) work(what, number);
          }};
}

}  // namespace wherry

#endif
