! Figure 6 of the paper, as it is printed, with something before and after it.
program figure_6
use mpi
use cresta_sp_coll
implicit none
real(kind=8), dimension(:), allocatable :: sendbuf, recvbuf
integer :: n, request, rc
integer :: me, ranks, i
call MPI_Init(rc)
call MPI_Comm_rank(MPI_COMM_WORLD, me, rc)
call MPI_Comm_size(MPI_COMM_WORLD, ranks, rc)
n = 100
allocate (sendbuf(n * ranks), recvbuf(n * ranks))
sendbuf = [(me + 0.001d0 * i, i = 0, n * ranks - 1)]
call CRESTA_Alltoall_begin(sendbuf, n, MPI_DOUBLE_PRECISION, &
    recvbuf, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, request, rc)
! do some computation, I/O or other communication not reading nor
! writing sendbuf or recvbuf here
call MPI_Barrier(MPI_COMM_WORLD, rc)
call CRESTA_Coll_end(1, request)
! start utilizing information in recvbuf
do i = 0, n * ranks - 1
  if (abs(recvbuf(i + 1) - (i / n + 0.001d0 * (me * n + modulo(i, n)))) > 1d-9) error stop 'figure 6: wrong'
end do
if (me == 0) print '(a,i0,a)', 'figure 6: ', ranks, ' ranks passed'
call MPI_Finalize(rc)
end program
