! Non-blocking collectives and messages in one list, in Fortran.
#if defined(BY_MPI_F08)
#define REQUEST type(MPI_Request)
#define STATUS_OF(n) type(MPI_Status) :: statuses(n)
#define ONE_STATUS statuses(1)
#define DATATYPE type(MPI_Datatype)
#define NAME 'mpi_f08 begun'
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#else
#define REQUEST integer
#define STATUS_OF(n) integer :: statuses(MPI_STATUS_SIZE, n)
#define ONE_STATUS statuses(:, 1)
#define DATATYPE integer
#if defined(BY_MPI)
#define NAME 'mpi begun'
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define NAME 'mpif.h begun'
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#endif

program begun
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer, parameter :: length = 1000, most_ranks = 8
  integer, asynchronous :: word(length), total_of(length), outgoing(1), incoming(1), given(most_ranks), exchanged(most_ranks)
  integer, asynchronous :: ones(most_ranks), in_bytes(most_ranks)
  integer :: me, ranks, error, round, i, done, which, indices(5)
  logical :: flag
  REQUEST :: requests(5)
  STATUS_OF(5)
  DATATYPE, asynchronous :: types(most_ranks)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  ones = 1
  in_bytes = [(4 * i, i = 0, most_ranks - 1)]
  do round = 0, 15
    call begin_all()
    select case (modulo(round, 8))
    case (0)
      do i = 5, 1, -1
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE, error)
        call require(error == MPI_SUCCESS)
      end do
    case (1)
      call MPI_Waitall(5, requests, MPI_STATUSES_IGNORE, error)
    case (2)
      call MPI_Waitall(5, requests, statuses, error)
    case (3)
      do i = 1, 5
        call MPI_Waitany(5, requests, which, ONE_STATUS, error)
        call require(which >= 0 .and. which <= 5)  ! mpi_f08 of MPICH 4.0 counts from 0
      end do
    case (4)
      done = 0
      do while (done < 5)
        call MPI_Waitsome(5, requests, which, indices, statuses, error)
        call require(which > 0)
        done = done + which
      end do
    case (5)
      do i = 1, 5
        flag = .false.
        do while (.not. flag)
          call MPI_Test(requests(i), flag, ONE_STATUS, error)
        end do
      end do
    case (6)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(5, requests, flag, statuses, error)
      end do
    case default
      do i = 1, 5
        flag = .false.
        do while (.not. flag)
          call MPI_Testany(5, requests, which, flag, ONE_STATUS, error)
        end do
      end do
    end select
    call require(error == MPI_SUCCESS)
    call require(all([(requests(i) == MPI_REQUEST_NULL, i = 1, 5)]))
    call require(all(word == [(round + i, i = 1, length)]))
    call require(all(total_of == [(ranks * i + ranks * (ranks - 1) / 2, i = 1, length)]))
    call require(all(exchanged(:ranks) == [(100 * round + 10 * i + me, i = 0, ranks - 1)]))
    call require(incoming(1) == 1000 * round + modulo(me - 1, ranks))
  end do
  call messages()
  if (me == 0) print '(a,a,i0,a)', NAME, ': ', ranks, ' ranks passed'
  call MPI_Finalize(error)

contains

  subroutine begin_all()
    word = -1
    if (me == modulo(round, ranks)) word = [(round + i, i = 1, length)]
    total_of = [(i + me, i = 1, length)]
    given = [(100 * round + 10 * me + i, i = 0, most_ranks - 1)]
    types = MPI_INTEGER
    outgoing = 1000 * round + me
    call MPI_Irecv(incoming, 1, MPI_INTEGER, modulo(me - 1, ranks), round, MPI_COMM_WORLD, requests(2), error)
    call MPI_Ibcast(word, length, MPI_INTEGER, modulo(round, ranks), MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(outgoing, 1, MPI_INTEGER, modulo(me + 1, ranks), round, MPI_COMM_WORLD, requests(4), error)
    call MPI_Iallreduce(MPI_IN_PLACE, total_of, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(3), error)
    call MPI_Ialltoallw(given, ones, in_bytes, types, exchanged, ones, in_bytes, types, MPI_COMM_WORLD, requests(5), error)
    call require(error == MPI_SUCCESS)
  end subroutine

  ! Messages that wait while a barrier is in flight.
  subroutine messages()
    integer :: from_left(1)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), error)
    call MPI_Sendrecv([me], 1, MPI_INTEGER, modulo(me + 1, ranks), 1, from_left, 1, MPI_INTEGER, modulo(me - 1, ranks), 1, &
      & MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call require(from_left(1) == modulo(me - 1, ranks))
    if (modulo(me, 2) == 0 .and. me + 1 < ranks) then
      call MPI_Ssend([me], 1, MPI_INTEGER, me + 1, 2, MPI_COMM_WORLD, error)
      call MPI_Send([me], 1, MPI_INTEGER, me + 1, 3, MPI_COMM_WORLD, error)
    else if (modulo(me, 2) == 1) then
      call MPI_Probe(me - 1, 2, MPI_COMM_WORLD, ONE_STATUS, error)
      from_left = -1
      call MPI_Recv(from_left, 1, MPI_INTEGER, me - 1, 2, MPI_COMM_WORLD, ONE_STATUS, error)
      call require(from_left(1) == me - 1)
      call MPI_Recv(from_left, 1, MPI_INTEGER, me - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end if
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call require(error == MPI_SUCCESS)
  end subroutine

  subroutine require(condition)
    logical, intent(in) :: condition
    if (condition) return
    write (0, '(a,i0,a,i0,a,i0)') '[rank ', me, ' of ', ranks, '] wrong in round ', round
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
