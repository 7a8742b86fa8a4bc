/// @file
/// The threads of an OpenMP program, for what Wherry packs and copies. Compiled into your program, by its OpenMP.
#pragma once

#include "wherry/core/thread_team.hpp"

#if defined(_OPENMP)

#include <omp.h>

namespace wherry {

/// A parallel region of `size` threads a time. Inside a parallel region of yours OpenMP gives one thread, if you have
/// not asked it to nest them: then the caller works alone.
inline thread_team openmp_team(int size = omp_get_max_threads()) {
  return {size, [size](thread_team::work work, void* what) {
  // OpenMP may give fewer threads than it is asked for.
#pragma omp parallel for num_threads(size) schedule(static, 1)
            for (int number = 0; number < size; ++number) work(what, number);
          }};
}

}  // namespace wherry

#endif
