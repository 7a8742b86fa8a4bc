! make ovl: the overlap availability of the split-phase collectives from Fortran (CRESTA, section 3.3.2), as ovl.c says:
! C, N, T in microseconds, O = C + N - T and ovl% = O / min(C, N), of Alltoall and Allreduce by size. The slowest rank
! counts.
program ovl
  use mpi
  use cresta_sp_coll
  implicit none
  integer, parameter :: alltoall = 1, allreduce = 2
  double precision, volatile :: sink = 1d0  ! what the compiler cannot know
  double precision, allocatable, asynchronous :: outgoing(:), incoming(:)
  double precision :: a_step
  integer :: me, ranks, rc, most, what
  character(len=32) :: word
  call MPI_Init(rc)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, rc)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, rc)
  most = 131072
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) most
  end if
  most = max(most, 1)
  allocate (outgoing(most * ranks), incoming(most * ranks))
  outgoing = 0
  incoming = 0
  a_step = time_of(0, 0, 1000000, 3) / 1d6
  do what = alltoall, allreduce
    call report()
  end do
  call MPI_Finalize(rc)

contains

  subroutine report()
    integer :: doubles, repeats, steps
    double precision :: c, n, t, o
    character(len=*), parameter :: names(2) = [character(len=9) :: 'Alltoall', 'Allreduce']
    if (me == 0) then
      print '(3a,i0,a)', '# CRESTA_', trim(names(what)), '_begin, ', ranks, ' ranks'
      print '(a)', '#    bytes       C/us       N/us       T/us       O/us    ovl%'
    end if
    doubles = 1
    do while (doubles <= most)
      repeats = merge(200, 20, doubles < 1000)
      n = time_of(what, doubles, 0, repeats)
      n = time_of(what, doubles, 0, repeats)
      steps = int(n / a_step) + 1
      c = time_of(0, doubles, steps, repeats)
      t = time_of(what, doubles, steps, repeats)
      o = c + n - t
      if (me == 0) print '(i10,4(1x,f10.2),1x,f7.1)', 8 * doubles, 1d6 * [c, n, t, o], 100 * o / min(c, n)
      doubles = 4 * doubles
    end do
  end subroutine

  subroutine begin(collective, doubles, request)
    integer, intent(in) :: collective, doubles
    integer, intent(inout) :: request
    select case (collective)
    case (alltoall)
      call CRESTA_Alltoall_begin(outgoing, doubles, MPI_DOUBLE_PRECISION, incoming, doubles, MPI_DOUBLE_PRECISION, &
                                 MPI_COMM_WORLD, request, rc)
    case (allreduce)
      call CRESTA_Allreduce_begin(outgoing, incoming, doubles, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request, rc)
    end select
  end subroutine

  subroutine compute(steps)
    integer, intent(in) :: steps
    double precision :: x
    integer :: i
    x = sink
    do i = 1, steps
      x = x * 0.999999d0 + 1d-6
    end do
    sink = x
  end subroutine

  ! Seconds a repeat; collective 0 is none.
  double precision function time_of(collective, doubles, steps, repeats) result(took)
    integer, intent(in) :: collective, doubles, steps, repeats
    double precision :: began, mine
    integer :: i, requests(1)
    call MPI_Barrier(MPI_COMM_WORLD, rc)
    began = MPI_Wtime()
    do i = 1, repeats
      requests = MPI_REQUEST_NULL
      if (collective /= 0) call begin(collective, doubles, requests(1))
      call compute(steps)
      if (collective /= 0) call CRESTA_Coll_end(1, requests, rc)
    end do
    mine = (MPI_Wtime() - began) / repeats
    call MPI_Allreduce(mine, took, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, rc)
  end function

end program
