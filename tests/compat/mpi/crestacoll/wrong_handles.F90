! Must compile as it stands, and not with the type of one handle wrong.
#if !defined(A_COMM)
#define A_COMM comm
#endif
#if !defined(A_DATATYPE)
#define A_DATATYPE datatype
#endif
#if !defined(AN_OPERATION)
#define AN_OPERATION operation
#endif
#if !defined(A_REQUEST)
#define A_REQUEST request
#endif
subroutine wrong_handles(comm, datatype, operation, request, from, to)
  use mpi_f08
  use crestacoll_f08
  use cresta_sp_coll_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Datatype) :: datatype
  type(MPI_Op) :: operation
  type(MPI_Request) :: request
  real :: from(3), to(3)
  call CRESTA_Allreduce(from, to, 3, A_DATATYPE, AN_OPERATION, A_COMM)
  call CRESTA_Allreduce_begin(from, to, 3, A_DATATYPE, AN_OPERATION, A_COMM, A_REQUEST)
  call CRESTA_Coll_end(1, A_REQUEST)
end subroutine
