// Fortran's calls that start or free persistent requests, and MPI_Op_free. Open MPI needs them, because its Fortran
// procedures call PMPI_X, and so does MPICH's mpi_f08. They convert the handles and call the C functions of
// c_starting.cpp.
#include <mpi.h>

#include <vector>

#include "fortran_arguments.hpp"

using wherry::preload::fortran::give;
using wherry::preload::fortran::integer;

#if defined(OPEN_MPI)
#define WHERRY_NAME(name) mpi_##name##_
#define WHERRY_OTHER_NAMES(name) \
  extern "C" [[gnu::alias("mpi_" #name "_")]] decltype(mpi_##name##_) mpi_##name##__, ompi_##name##_f
#else
#define WHERRY_NAME(name) mpi_##name##_f08_
#define WHERRY_OTHER_NAMES(name) static_assert(true)
#endif

#if defined(OPEN_MPI) || defined(MPICH_VERSION)

extern "C" void WHERRY_NAME(start)(MPI_Fint* request, MPI_Fint* error) {
  auto one = PMPI_Request_f2c(*request);
  give(MPI_Start(&one), error);
}
WHERRY_OTHER_NAMES(start);

extern "C" void WHERRY_NAME(startall)(const MPI_Fint* count, MPI_Fint* requests, MPI_Fint* error) {
  std::vector<MPI_Request> all;
  for (int i = 0; i < integer(count); ++i) all.push_back(PMPI_Request_f2c(requests[i]));
  give(MPI_Startall(integer(count), all.data()), error);
}
WHERRY_OTHER_NAMES(startall);

extern "C" void WHERRY_NAME(request_free)(MPI_Fint* request, MPI_Fint* error) {
  auto one = PMPI_Request_f2c(*request);
  give(MPI_Request_free(&one), error);
  if (one == MPI_REQUEST_NULL) *request = PMPI_Request_c2f(MPI_REQUEST_NULL);
}
WHERRY_OTHER_NAMES(request_free);

extern "C" void WHERRY_NAME(op_free)(MPI_Fint* op, MPI_Fint* error) {
  auto one = PMPI_Op_f2c(*op);
  give(MPI_Op_free(&one), error);
  if (one == MPI_OP_NULL) *op = PMPI_Op_c2f(MPI_OP_NULL);
}
WHERRY_OTHER_NAMES(op_free);

#endif
