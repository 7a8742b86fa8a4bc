! Calls that are made often enough for some to be left to MPI.
program often
#if defined(BY_MPI_F08)
  use mpi_f08
#elif defined(BY_MPI)
  use mpi
#endif
  implicit none
#if defined(BY_MPIF_H)
  include 'mpif.h'
#endif
  integer :: i, me, ranks, value, total, code
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  do i = 1, 700
    value = i + me
    code = -1
    call MPI_Allreduce(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    if (code /= MPI_SUCCESS .or. total /= ranks * i + ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, code)
    code = -1
    call MPI_Barrier(MPI_COMM_WORLD, code)
    if (code /= MPI_SUCCESS) call MPI_Abort(MPI_COMM_WORLD, 1, code)
  end do
  if (me == 0) print *, ranks, 'ranks passed'
  call MPI_Finalize(code)
end program often
