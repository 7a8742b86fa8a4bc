! CRESTA's split-phase names (cresta_sp_coll.inc) for programs with mpi_f08: handles have MPI's types, each of which is one
! integer for C. So they are the same procedures.
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define OPERATION type(MPI_Op)
#define REQUEST type(MPI_Request)
module cresta_sp_coll_f08
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
  implicit none
  private :: c_int, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
#include "cresta_sp_coll.inc"
end module
