! Persistent collectives and messages in one list, in Fortran.
#if defined(BY_MPI_F08)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#define NAME 'mpi_f08 persistent'
#if defined(HAS_PERSISTENT)
#define USE_MPI use mpi_f08
#else
#define USE_MPI use mpi_f08; use mpi_f08_ext
#endif
#define INCLUDE_MPI
#else
#define REQUEST integer
#define DATATYPE integer
#if defined(BY_MPI)
#define NAME 'mpi persistent'
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define NAME 'mpif.h persistent'
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif
#if defined(HAS_PERSISTENT)
#define BCAST_INIT MPI_Bcast_init
#define ALLREDUCE_INIT MPI_Allreduce_init
#define ALLTOALLW_INIT MPI_Alltoallw_init
#define BARRIER_INIT MPI_Barrier_init
#else
#define BCAST_INIT MPIX_Bcast_init
#define ALLREDUCE_INIT MPIX_Allreduce_init
#define ALLTOALLW_INIT MPIX_Alltoallw_init
#define BARRIER_INIT MPIX_Barrier_init
#endif

program persistent
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: length = 1000, most_ranks = 8, all_of_them = 6
  integer, asynchronous :: word(length), sums(length), outgoing(1), incoming(1), given(most_ranks), exchanged(most_ranks)
  integer, asynchronous :: ones(most_ranks), in_bytes(most_ranks)
  integer :: me, ranks, error, round, i, which
  logical :: flag
  REQUEST :: requests(all_of_them)
  DATATYPE, asynchronous :: types(most_ranks)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  ones = 1
  in_bytes = [(4 * i, i = 0, most_ranks - 1)]
  types = MPI_INTEGER
  call BCAST_INIT(word, length, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), error)
  call require(error == MPI_SUCCESS)
  call MPI_Recv_init(incoming, 1, MPI_INTEGER, modulo(me - 1, ranks), 1, MPI_COMM_WORLD, requests(2), error)
  call ALLREDUCE_INIT(MPI_IN_PLACE, sums, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), error)
  call require(error == MPI_SUCCESS)
  call MPI_Send_init(outgoing, 1, MPI_INTEGER, modulo(me + 1, ranks), 1, MPI_COMM_WORLD, requests(4), error)
  call ALLTOALLW_INIT(given, ones, in_bytes, types, exchanged, ones, in_bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL, &
    & requests(5), error)
  call require(error == MPI_SUCCESS)
  if (command_argument_count() == 0) then  ! not MPI's own
    ones = -1
    in_bytes = -1
    types = MPI_DATATYPE_NULL
  end if
  call BARRIER_INIT(MPI_COMM_WORLD, MPI_INFO_NULL, requests(6), error)
  call require(error == MPI_SUCCESS)
  do round = 0, 11
    word = -1
    if (me == ranks - 1) word = [(round + i, i = 1, length)]
    sums = [(round * i + me, i = 1, length)]
    given = [(100 * round + 10 * me + i, i = 0, most_ranks - 1)]
    exchanged = -1
    outgoing = 1000 * round + me
    incoming = -1
    if (modulo(round, 2) == 0) then
      call MPI_Startall(all_of_them, requests, error)
      call require(error == MPI_SUCCESS)
    else
      do i = 1, all_of_them
        which = i
        if (modulo(me, 2) == 1) which = all_of_them + 1 - i
        call MPI_Start(requests(which), error)
        call require(error == MPI_SUCCESS)
      end do
    end if
    ! With an argument: by what MPICH 4.0 can do.
    select case (modulo(round, merge(2, 3, command_argument_count() > 0)))
    case (0)
      do i = all_of_them, 1, -1
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE, error)
      end do
    case (1)
      call MPI_Waitall(all_of_them, requests, MPI_STATUSES_IGNORE, error)
    case default
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(all_of_them, requests, flag, MPI_STATUSES_IGNORE, error)
      end do
    end select
    call require(error == MPI_SUCCESS)
    call require(all([(requests(i) /= MPI_REQUEST_NULL, i = 1, all_of_them)]))
    call require(all(word == [(round + i, i = 1, length)]))
    call require(all(sums == [(ranks * round * i + ranks * (ranks - 1) / 2, i = 1, length)]))
    call require(all(exchanged(:ranks) == [(100 * round + 10 * i + me, i = 0, ranks - 1)]))
    call require(incoming(1) == 1000 * round + modulo(me - 1, ranks))
  end do
  do i = 1, all_of_them
    call MPI_Request_free(requests(i), error)
    call require(error == MPI_SUCCESS .and. requests(i) == MPI_REQUEST_NULL)
  end do
  if (me == 0) print '(a,a,i0,a)', NAME, ': ', ranks, ' ranks passed'
  call MPI_Finalize(error)

contains

  subroutine require(condition)
    logical, intent(in) :: condition
    if (condition) return
    write (0, '(a,i0,a,i0,a,i0)') '[rank ', me, ' of ', ranks, '] wrong in round ', round
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
