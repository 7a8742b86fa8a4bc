/// @file
/// The exchange by Fortran, which by_fortran.f90 makes; absent where this build has no Fortran.
#pragma once

#include <mpi.h>

#include <vector>

#ifdef BENCH_WITH_FORTRAN
extern "C" {
void bench_fortran_create(int world, int extent, double* values);
void bench_fortran_exchange(int times);
void bench_fortran_free();
}
#endif

namespace bench::bindings {

#ifdef BENCH_WITH_FORTRAN
inline constexpr bool with_fortran = true;

/// At most one at a time: the objects are variables of the Fortran module.
class by_fortran {
 public:
  by_fortran(int extent, std::vector<double>& values) {
    bench_fortran_create(static_cast<int>(MPI_Comm_c2f(MPI_COMM_WORLD)), extent, values.data());
  }
  by_fortran(const by_fortran&) = delete;
  by_fortran& operator=(const by_fortran&) = delete;
  ~by_fortran() { bench_fortran_free(); }
  void operator()(int times) { bench_fortran_exchange(times); }
};
#else
inline constexpr bool with_fortran = false;

class by_fortran {
 public:
  by_fortran(int, std::vector<double>&) {}
  void operator()(int) {}
};
#endif

}  // namespace bench::bindings
