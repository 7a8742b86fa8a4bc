// MPICH's Fortran calls C's MPI_X, which c_collectives.cpp replaces. The exceptions are the procedures of mpi_f08 that
// have no buffer: they call PMPI_X. Their handles are C's, and optional arguments may be absent.
#include <mpi.h>

#if defined(MPICH_VERSION)

#include "fortran.hpp"

using namespace wherry::preload;
using wherry::collective::call;
using wherry::collective::kind;

extern "C" void mpi_barrier_f08_(const MPI_Comm* comm, MPI_Fint* error) {
  static const auto behind_us = fortran::behind<decltype(mpi_barrier_f08_)>("mpi_barrier_f08_");
  if (!taken(kind::barrier, form::blocking, *comm)) return behind_us(comm, error);
  compared(
      whose_turn(kind::barrier, *comm), call::barrier(*comm),
      [&](bool timed) { fortran::give(carry_out(call::barrier(*comm), timed), error); },
      [&] { behind_us(comm, error); });
}

extern "C" void mpi_ibarrier_f08_(const MPI_Comm* comm, MPI_Request* request, MPI_Fint* error) {
  static const auto behind_us = fortran::behind<decltype(mpi_ibarrier_f08_)>("mpi_ibarrier_f08_");
  if (!taken(kind::barrier, form::nonblocking, *comm)) return behind_us(comm, request, error);
  fortran::give(set_off(call::barrier(*comm), *request), error);
}

extern "C" void mpi_barrier_init_f08_(const MPI_Comm* comm, const MPI_Info* info, MPI_Request* request,
                                      MPI_Fint* error) {
  static const auto behind_us = fortran::behind<decltype(mpi_barrier_init_f08_)>("mpi_barrier_init_f08_");
  if (!taken(kind::barrier, form::persistent, *comm)) return behind_us(comm, info, request, error);
  const auto made = prepare(call::barrier(*comm), *request);
  if (made.is_mpis) return behind_us(comm, info, request, error);
  fortran::give(made.code, error);
}

#endif
