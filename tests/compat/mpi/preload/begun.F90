! Non-blocking collectives and messages in one list, in Fortran.
#if defined(BY_MPI_F08)
#define REQUEST type(MPI_Request)
#define STATUS_OF(n) type(MPI_Status) :: statuses(n)
#define ONE_STATUS statuses(1)
#define DATATYPE type(MPI_Datatype)
#define OPERATION type(MPI_Op)
#define COMMUNICATOR type(MPI_Comm)
#define NAME 'mpi_f08 begun'
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#else
#define REQUEST integer
#define STATUS_OF(n) integer :: statuses(MPI_STATUS_SIZE, n)
#define ONE_STATUS statuses(:, 1)
#define DATATYPE integer
#define OPERATION integer
#define COMMUNICATOR integer
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

! What a program makes an operation of: by addresses, with mpi_f08.
module operations
  implicit none
contains
#if defined(BY_MPI_F08)
  subroutine add(from, into, length, type)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    use mpi_f08, only: MPI_Datatype
    type(c_ptr), value :: from, into
    integer :: length
    type(MPI_Datatype) :: type
    integer, pointer :: a(:), b(:)
    call c_f_pointer(from, a, [length])
    call c_f_pointer(into, b, [length])
    b = a + b
  end subroutine
#else
  subroutine add(from, into, length, type)
    integer :: length, type, from(length), into(length)
    into = from + into
  end subroutine
#endif
end module

program begun
  USE_MPI
  use operations
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
  ! With an argument: Open MPI 4 does not do it.
  if (command_argument_count() > 0) call freed()
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

  ! Lists, a datatype, an operation and the communicator that go while calls are in flight.
  subroutine freed()
    integer, asynchronous :: counts(most_ranks), places(most_ranks), total(2), outgoing_pair(2), pair(2), came(most_ranks)
    DATATYPE :: two
    OPERATION :: operation
    COMMUNICATOR :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, error)
    call MPI_Type_contiguous(2, MPI_INTEGER, two, error)
    call MPI_Type_commit(two, error)
    call MPI_Op_create(add, .true., operation, error)
    counts = 1
    places = [(i, i = 0, most_ranks - 1)]
    types = MPI_INTEGER
    total = -1
    outgoing_pair = [me + 1, 1]
    pair = [me, 7 * me]
    call MPI_Ireduce(outgoing_pair, total, 2, MPI_INTEGER, operation, ranks - 1, comm, requests(1), error)
    call MPI_Op_free(operation, error)
    call require(error == MPI_SUCCESS .and. operation == MPI_OP_NULL)
    call MPI_Ialltoallv(given, counts, places, MPI_INTEGER, came, counts, places, MPI_INTEGER, comm, requests(2), error)
    counts = -1
    places = -1
    call MPI_Ibcast(pair, 1, two, ranks - 1, comm, requests(3), error)
    call MPI_Type_free(two, error)
    call MPI_Ialltoallw(given, ones, in_bytes, types, exchanged, ones, in_bytes, types, comm, requests(4), error)
    types = MPI_DATATYPE_NULL
    call MPI_Comm_free(comm, error)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
    call require(error == MPI_SUCCESS)
    if (me == ranks - 1) call require(all(total == [ranks * (ranks + 1) / 2, ranks]))
    call require(all(pair == [ranks - 1, 7 * (ranks - 1)]))
    call require(all(came(:ranks) == exchanged(:ranks)))
  end subroutine

  subroutine require(condition)
    logical, intent(in) :: condition
    if (condition) return
    write (0, '(a,i0,a,i0,a,i0)') '[rank ', me, ' of ', ranks, '] wrong in round ', round
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program
