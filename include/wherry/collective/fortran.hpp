/// @file
/// For those who offer collectives to Fortran.
#pragma once

namespace wherry::collective {

/// What C calls the buffer that Fortran has passed: its MPI_IN_PLACE and MPI_BOTTOM are variables, of whose addresses
/// C's constants are made. (Those of mpif.h, the modules mpi and mpi_f08, under Open MPI and the MPICH family.)
void* buffer_of_fortran(void* address);

}  // namespace wherry::collective
