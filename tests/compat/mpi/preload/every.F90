! Every blocking collective, checked by what it must give; three programs, by mpif.h, by the module mpi, by mpi_f08.
#if defined(BY_MPI_F08)
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define OPERATION type(MPI_Op)
#define NAME 'mpi_f08'
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#elif defined(BY_MPI)
#define COMM integer
#define DATATYPE integer
#define OPERATION integer
#define NAME 'mpi'
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define COMM integer
#define DATATYPE integer
#define OPERATION integer
#define NAME 'mpif.h'
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif

module support
  implicit none
  integer :: me, ranks
contains
  subroutine require(condition, what)
    USE_MPI
    implicit none
    INCLUDE_MPI
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    integer :: error
    if (condition) return
    write (0, '(a,i0,a,i0,a,a)') '[rank ', me, ' of ', ranks, '] not so: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine

  subroutine ok(error, what)
    integer, intent(in) :: error
    character(len=*), intent(in) :: what
    call require(error == 0, what)
  end subroutine
end module

program every
  USE_MPI
  use support
  implicit none
  INCLUDE_MPI
  integer, parameter :: most_ranks = 8
  integer :: counts(most_ranks), places(most_ranks), total, root, error, r
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  total = 0
  do r = 1, ranks
    counts(r) = r
    places(r) = total
    total = total + r
  end do
  do root = 0, ranks - 1
    call rooted()
  end do
  call for_all()
  call each_to_each()
  call neighbours()
  call own_types()
  if (me == 0) print '(a,a,i0,a)', NAME, ': ', ranks, ' ranks passed'
  call MPI_Finalize(error)

contains

  subroutine rooted()
    integer :: values(3), gathered(2, most_ranks), mine(2), total_of(2), uneven(36), own(most_ranks), i
    values = 0
    if (me == root) values = [(100 * root + i, i = 1, 3)]
    call MPI_Bcast(values, 3, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call ok(error, 'bcast')
    call require(all(values == [(100 * root + i, i = 1, 3)]), 'bcast')
    mine = [me, -me]
    call MPI_Gather(mine, 2, MPI_INTEGER, gathered, 2, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call ok(error, 'gather')
    if (me == root) call require(all(gathered(1, :ranks) == [(i, i = 0, ranks - 1)]), 'gather')
    mine = 0
    call MPI_Scatter(gathered, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call ok(error, 'scatter')
    call require(all(mine == [me, -me]), 'scatter')
    own = [(10 * me + i, i = 1, most_ranks)]
    call MPI_Gatherv(own, me + 1, MPI_INTEGER, uneven, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call ok(error, 'gatherv')
    if (me == root) call require(all([(uneven(places(i) + i) == 10 * (i - 1) + i, i = 1, ranks)]), 'gatherv')
    own = 0
    call MPI_Scatterv(uneven, counts, places, MPI_INTEGER, own, me + 1, MPI_INTEGER, root, MPI_COMM_WORLD, error)
    call ok(error, 'scatterv')
    call require(own(me + 1) == 10 * me + me + 1, 'scatterv')
    mine = [me + 1, 2]
    total_of = [me + 1, 2]
    if (me == root) then
      call MPI_Reduce(MPI_IN_PLACE, total_of, 2, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
      call require(all(total_of == [total, 2 * ranks]), 'reduce in place')
    else
      call MPI_Reduce(mine, total_of, 2, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, error)
    end if
    call ok(error, 'reduce')
  end subroutine

  subroutine for_all()
    double precision :: gathered(2, most_ranks), pair(2)
    integer :: uneven(36), own(most_ranks), sums(most_ranks), parts(36), part(most_ranks), i
    pair = [me + 0.5d0, -1d0 * me]
    call MPI_Allgather(pair, 2, MPI_DOUBLE_PRECISION, gathered, 2, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
    call ok(error, 'allgather')
    call require(all(gathered(1, :ranks) == [(i + 0.5d0, i = 0, ranks - 1)]), 'allgather')
    own = [(10 * me + i, i = 1, most_ranks)]
    call MPI_Allgatherv(own, me + 1, MPI_INTEGER, uneven, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call ok(error, 'allgatherv')
    call require(all([(uneven(places(i) + i) == 10 * (i - 1) + i, i = 1, ranks)]), 'allgatherv')
    sums = [(i * (me + 1), i = 1, most_ranks)]
    call MPI_Allreduce(MPI_IN_PLACE, sums, most_ranks, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call ok(error, 'allreduce')
    call require(all(sums == [(i * total, i = 1, most_ranks)]), 'allreduce in place')
    parts = [(i + me, i = 0, 35)]
    call MPI_Reduce_scatter(parts, part, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call ok(error, 'reduce_scatter')
    call require(part(1) == ranks * places(me + 1) + total - ranks, 'reduce_scatter')
    call MPI_Reduce_scatter_block(parts, part, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    call ok(error, 'reduce_scatter_block')
    call require(part(1) == me + ranks - 1, 'reduce_scatter_block')
    own(1) = me + 1
    call MPI_Scan(own, part, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call ok(error, 'scan')
    call require(part(1) == (me + 1) * (me + 2) / 2, 'scan')
    call MPI_Exscan(own, part, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call ok(error, 'exscan')
    if (me > 0) call require(part(1) == me * (me + 1) / 2, 'exscan')
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call ok(error, 'barrier')
  end subroutine

  subroutine each_to_each()
    integer :: outgoing(most_ranks), incoming(most_ranks), ones(most_ranks), apart(most_ranks), in_bytes(most_ranks), i
    DATATYPE :: types(most_ranks)
    outgoing = [(10 * me + i, i = 0, most_ranks - 1)]
    ones = 1
    apart(:ranks) = [(ranks - i, i = 1, ranks)]
    in_bytes = [(4 * i, i = 0, most_ranks - 1)]
    types = MPI_INTEGER
    call MPI_Alltoall(outgoing, 1, MPI_INTEGER, incoming, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
    call ok(error, 'alltoall')
    call require(all(incoming(:ranks) == [(10 * i + me, i = 0, ranks - 1)]), 'alltoall')
    call MPI_Alltoallv(outgoing, ones, apart, MPI_INTEGER, incoming, ones, apart, MPI_INTEGER, MPI_COMM_WORLD, error)
    call ok(error, 'alltoallv')
    call require(all(incoming(ranks:1:-1) == [(10 * i + ranks - 1 - me, i = 0, ranks - 1)]), 'alltoallv')
    call MPI_Alltoallw(outgoing, ones, in_bytes, types, incoming, ones, in_bytes, types, MPI_COMM_WORLD, error)
    call ok(error, 'alltoallw')
    call require(all(incoming(:ranks) == [(10 * i + me, i = 0, ranks - 1)]), 'alltoallw')
    incoming = outgoing
    call MPI_Alltoallw(MPI_IN_PLACE, ones, in_bytes, types, incoming, ones, in_bytes, types, MPI_COMM_WORLD, error)
    call ok(error, 'alltoallw')
    call require(all(incoming(:ranks) == [(10 * i + me, i = 0, ranks - 1)]), 'alltoallw in place')
  end subroutine

  subroutine neighbours()
    integer :: outgoing(2), incoming(2), ones(2), apart(2), left, right
    integer(kind=MPI_ADDRESS_KIND) :: in_bytes(2)
    DATATYPE :: types(2)
    COMM :: ring
    left = modulo(me - 1, ranks)
    right = modulo(me + 1, ranks)
    outgoing = [me, 10 + me]
    ones = 1
    apart = [0, 1]
    in_bytes = [0, 4]
    types = MPI_INTEGER
    ! No Cartesian one: MPICH 4.0's mpi_f08 has no MPI_Neighbor_alltoallw on it.
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [left, right], MPI_UNWEIGHTED, 2, [left, right], MPI_UNWEIGHTED, &
      & MPI_INFO_NULL, .false., ring, error)
    call MPI_Neighbor_allgather(outgoing, 1, MPI_INTEGER, incoming, 1, MPI_INTEGER, ring, error)
    call ok(error, 'neighbor_allgather')
    call require(all(incoming == [left, right]), 'neighbor_allgather')
    call MPI_Neighbor_allgatherv(outgoing, 1, MPI_INTEGER, incoming, ones, apart, MPI_INTEGER, ring, error)
    call ok(error, 'neighbor_allgatherv')
    call require(all(incoming == [left, right]), 'neighbor_allgatherv')
    if (ranks > 2) then
      call MPI_Neighbor_alltoall(outgoing, 1, MPI_INTEGER, incoming, 1, MPI_INTEGER, ring, error)
      call ok(error, 'neighbor_alltoall')
      call require(all(incoming == [10 + left, right]), 'neighbor_alltoall')
      call MPI_Neighbor_alltoallv(outgoing, ones, apart, MPI_INTEGER, incoming, ones, apart, MPI_INTEGER, ring, error)
      call ok(error, 'neighbor_alltoallv')
      call require(all(incoming == [10 + left, right]), 'neighbor_alltoallv')
      call MPI_Neighbor_alltoallw(outgoing, ones, in_bytes, types, incoming, ones, in_bytes, types, ring, error)
      call ok(error, 'neighbor_alltoallw')
      call require(all(incoming == [10 + left, right]), 'neighbor_alltoallw')
    end if
    call MPI_Comm_free(ring, error)
  end subroutine

  ! A vector type from an absolute address: MPI_BOTTOM is an address in Fortran, too.
  subroutine own_types()
    integer, target :: columns(8)
    integer :: i
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    DATATYPE :: every_second, absolute
    columns = -1
    if (me == 0) columns = [(i, i = 1, 8)]
    call MPI_Type_vector(4, 1, 2, MPI_INTEGER, every_second, error)
    call MPI_Get_address(columns, address(1), error)
    call MPI_Type_create_hindexed(1, [1], address, every_second, absolute, error)
    call MPI_Type_commit(absolute, error)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, error)
    call ok(error, 'bcast')
    call keep(columns)
    call require(all(columns(1:7:2) == [1, 3, 5, 7]), 'bcast from the bottom')
    if (me > 0) call require(all(columns(2:8:2) == -1), 'bcast of every second')
    call MPI_Type_free(absolute, error)
    call MPI_Type_free(every_second, error)
  end subroutine

  ! The compiler does not know that MPI_Bcast writes there.
  subroutine keep(columns)
    integer, intent(inout), volatile :: columns(:)
    columns(1) = columns(1)
  end subroutine
end program
