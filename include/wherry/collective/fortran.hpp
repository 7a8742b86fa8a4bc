/// @file
/// Fortran's special buffers, for libraries that offer collectives to Fortran.
#pragma once

namespace wherry::collective::detail {

/// Converts a buffer that Fortran has passed to C's. Local. Fortran's MPI_IN_PLACE and MPI_BOTTOM are variables; their
/// addresses become C's constants. (The function knows the variables of mpif.h and of the modules mpi and mpi_f08,
/// under Open MPI and the MPICH family.)
void* buffer_of_fortran(void* address);

}  // namespace wherry::collective::detail
