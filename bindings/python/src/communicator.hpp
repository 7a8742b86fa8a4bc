// Communicators: those of mpi4py, by their handle for Fortran, or MPI_COMM_WORLD.
#pragma once

#include <nanobind/nanobind.h>

namespace wherry_python {

namespace nb = nanobind;

void bind_communicator(nb::module_& m);

}  // namespace wherry_python
