! All of CRESTA's collectives from Fortran, in one call and in two, with integers, reals, structures and scalars; by the
! module mpi, or with -DBY_MPI_F08 by mpi_f08.
#if defined(BY_MPI_F08)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#else
#define DATATYPE integer
#define REQUEST integer
#endif
program cresta_test
#if defined(BY_MPI_F08)
  use mpi_f08
  use crestacoll_f08
  use cresta_sp_coll_f08
#else
  use mpi
  use crestacoll
  use cresta_sp_coll
#endif
  implicit none
  integer, parameter :: most_ranks = 16, most = 4 * most_ranks**2
  integer :: me, ranks, rc, faults, root, i, r, split
  REQUEST :: request, requests(3)
  integer :: outgoing(most), incoming(most), expected(most)
  integer :: counts(most_ranks), places(most_ranks), to_counts(most_ranks), to_places(most_ranks)
  integer :: from_counts(most_ranks), from_places(most_ranks)
  call MPI_Init(rc)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, rc)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, rc)
  faults = 0
  call prepare()
  call CRESTA_Win_init(MPI_COMM_WORLD, rc)
  do split = 0, 1
    do root = 0, ranks - 1
      call rooted()
    end do
    call for_all()
    call in_place()
    call absolute_addresses()
  end do
  call any_type()
  call several()
  call CRESTA_Win_finalize()
  if (me == 0) print '(i0,a,i0,a)', ranks, ' ranks: ', faults, ' errors'
  call MPI_Finalize(rc)
  if (faults /= 0) error stop 1

contains

  subroutine prepare()
    counts(:ranks) = [(i, i = 1, ranks)]
    to_counts(:ranks) = [(me + i, i = 1, ranks)]
    from_counts = to_counts  ! rank r has as many for me as I have for it
    places(1) = 0
    to_places(1) = 0
    do i = 2, ranks
      places(i) = places(i - 1) + counts(i - 1)
      to_places(i) = to_places(i - 1) + to_counts(i - 1)
    end do
    from_places = to_places
  end subroutine

  integer function number(from, place)
    integer, intent(in) :: from, place
    number = 1000 * from + place
  end function

  subroutine begin_case()
    outgoing = [(number(me, i), i = 0, most - 1)]
    incoming = -1
    expected = -1
    rc = -1
  end subroutine

  subroutine end_case(name)
    character(len=*), intent(in) :: name
    integer :: wrong, any_wrong, error
    if (split == 1 .and. rc == MPI_SUCCESS) call CRESTA_Coll_end(1, request, rc)
    wrong = merge(0, 1, rc == MPI_SUCCESS .and. all(incoming == expected))
    call MPI_Allreduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
    faults = faults + any_wrong
    if (any_wrong /= 0 .and. me == 0) print '(a,a)', 'Error in CRESTA_', name
  end subroutine

  subroutine rooted()
    call begin_case()
    expected(:5) = [(number(root, i), i = 0, 4)]
    if (me == root) incoming(:5) = expected(:5)
    if (split == 0) then
      call CRESTA_Bcast(incoming, 5, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Bcast_begin(incoming, 5, MPI_INTEGER, root, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Bcast')

    call begin_case()
    if (me == root) expected(:2 * ranks) = [(number(i / 2, modulo(i, 2)), i = 0, 2 * ranks - 1)]
    if (split == 0) then
      call CRESTA_Gather(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Gather_begin(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Gather')

    call begin_case()
    if (me == root) then
      do r = 1, ranks
        expected(places(r) + 1:places(r) + r) = [(number(r - 1, i), i = 0, r - 1)]
      end do
    end if
    if (split == 0) then
      call CRESTA_Gatherv(outgoing, me + 1, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Gatherv_begin(outgoing, me + 1, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, &
        & request, rc)
    end if
    call end_case('Gatherv')

    call begin_case()
    expected(:2) = [(number(root, 2 * me + i), i = 0, 1)]
    if (split == 0) then
      call CRESTA_Scatter(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Scatter_begin(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Scatter')

    call begin_case()
    expected(:me + 1) = [(number(root, places(me + 1) + i), i = 0, me)]
    if (split == 0) then
      call CRESTA_Scatterv(outgoing, counts, places, MPI_INTEGER, incoming, me + 1, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Scatterv_begin(outgoing, counts, places, MPI_INTEGER, incoming, me + 1, MPI_INTEGER, root, MPI_COMM_WORLD, &
        & request, rc)
    end if
    call end_case('Scatterv')

    call begin_case()
    if (me == root) expected(:7) = [(number(ranks - 1, i), i = 0, 6)]
    if (split == 0) then
      call CRESTA_Reduce(outgoing, incoming, 7, MPI_INTEGER, MPI_MAX, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Reduce_begin(outgoing, incoming, 7, MPI_INTEGER, MPI_MAX, root, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Reduce')
  end subroutine

  subroutine for_all()
    integer :: before
    call begin_case()
    expected(:2 * ranks) = [(number(i / 2, modulo(i, 2)), i = 0, 2 * ranks - 1)]
    if (split == 0) then
      call CRESTA_Allgather(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Allgather_begin(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Allgather')

    call begin_case()
    do r = 1, ranks
      expected(places(r) + 1:places(r) + r) = [(number(r - 1, i), i = 0, r - 1)]
    end do
    if (split == 0) then
      call CRESTA_Allgatherv(outgoing, me + 1, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Allgatherv_begin(outgoing, me + 1, MPI_INTEGER, incoming, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
        & request, rc)
    end if
    call end_case('Allgatherv')

    call begin_case()  ! in place
    incoming(:50) = outgoing(:50)
    expected(:50) = [(1000 * (ranks * (ranks - 1) / 2) + ranks * i, i = 0, 49)]
    if (split == 0) then
      call CRESTA_Allreduce(MPI_IN_PLACE, incoming, 50, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Allreduce_begin(MPI_IN_PLACE, incoming, 50, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Allreduce')

    call begin_case()
    expected(:me + 1) = [(1000 * (ranks * (ranks - 1) / 2) + ranks * (places(me + 1) + i), i = 0, me)]
    if (split == 0) then
      call CRESTA_Reduce_scatter(outgoing, incoming, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Reduce_scatter_begin(outgoing, incoming, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Reduce_scatter')

    call begin_case()
    expected(:2 * ranks) = [(number(i / 2, 2 * me + modulo(i, 2)), i = 0, 2 * ranks - 1)]
    if (split == 0) then
      call CRESTA_Alltoall(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Alltoall_begin(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Alltoall')

    call begin_case()
    do r = 1, ranks
      before = sum([(r - 1 + i, i = 1, me)])
      expected(from_places(r) + 1:from_places(r) + from_counts(r)) = [(number(r - 1, before + i), i = 0, from_counts(r) - 1)]
    end do
    if (split == 0) then
      call CRESTA_Alltoallv(outgoing, to_counts, to_places, MPI_INTEGER, incoming, from_counts, from_places, MPI_INTEGER, &
        & MPI_COMM_WORLD, rc)
    else
      call CRESTA_Alltoallv_begin(outgoing, to_counts, to_places, MPI_INTEGER, incoming, from_counts, from_places, MPI_INTEGER, &
        & MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Alltoallv')
  end subroutine

  ! Where for_all() and rooted() have two buffers.
  subroutine in_place()
    root = ranks - 1
    call begin_case()
    if (me == root) then
      incoming(2 * me + 1:2 * me + 2) = outgoing(:2)
      expected(:2 * ranks) = [(number(i / 2, modulo(i, 2)), i = 0, 2 * ranks - 1)]
    end if
    if (me == root .and. split == 0) then
      call CRESTA_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else if (me == root) then
      call CRESTA_Gather_begin(MPI_IN_PLACE, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request, rc)
    else if (split == 0) then
      call CRESTA_Gather(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Gather_begin(outgoing, 2, MPI_INTEGER, incoming, 2, MPI_INTEGER, root, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Gather in place')

    call begin_case()
    incoming(2 * me + 1:2 * me + 2) = outgoing(:2)
    expected(:2 * ranks) = [(number(i / 2, modulo(i, 2)), i = 0, 2 * ranks - 1)]
    if (split == 0) then
      call CRESTA_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Allgather_begin(MPI_IN_PLACE, 0, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Allgather in place')

    call begin_case()
    incoming(:2 * ranks) = outgoing(:2 * ranks)
    expected(:2 * ranks) = [(number(i / 2, 2 * me + modulo(i, 2)), i = 0, 2 * ranks - 1)]
    if (split == 0) then
      call CRESTA_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Alltoall_begin(MPI_IN_PLACE, 0, MPI_INTEGER, incoming, 2, MPI_INTEGER, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Alltoall in place')
  end subroutine

  ! MPI_BOTTOM with a datatype that says where.
  subroutine absolute_addresses()
    integer(kind=MPI_ADDRESS_KIND) :: addresses(2)
    DATATYPE :: absolute
    call begin_case()
    call MPI_Get_address(incoming(2), addresses(1), rc)
    call MPI_Get_address(incoming(7), addresses(2), rc)
    call MPI_Type_create_hindexed(2, [1, 2], addresses, MPI_INTEGER, absolute, rc)
    call MPI_Type_commit(absolute, rc)
    expected([2, 7, 8]) = [number(0, 1), number(0, 6), number(0, 7)]
    if (me == 0) incoming([2, 7, 8]) = outgoing([2, 7, 8])
    if (split == 0) then
      call CRESTA_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, rc)
    else
      call CRESTA_Bcast_begin(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, request, rc)
    end if
    call end_case('Bcast of absolute addresses')
    call MPI_Type_free(absolute, rc)
  end subroutine

  ! Scalars, arrays of several dimensions, characters, structures; without a return code.
  subroutine any_type()
    type :: pair
      sequence
      real(kind=8) :: weight
      integer(kind=8) :: place
    end type
    type(pair) :: one
    real :: matrix(3, 4), scalar
    character(len=5) :: word
    complex(kind=8) :: z
    scalar = merge(2.5, 0.0, me == 0)
    matrix = merge(1.5, 0.0, me == 0)
    word = merge('hello', '     ', me == 0)
    z = merge((1d0, 2d0), (0d0, 0d0), me == 0)
    one = pair(0d0, 0_8)
    if (me == 0) one = pair(0.25d0, 9_8)
    call CRESTA_Bcast(scalar, 1, MPI_REAL, 0, MPI_COMM_WORLD)
    call CRESTA_Bcast(matrix, 12, MPI_REAL, 0, MPI_COMM_WORLD)
    call CRESTA_Bcast(word, 5, MPI_CHARACTER, 0, MPI_COMM_WORLD)
    call CRESTA_Bcast(z, 1, MPI_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD)
    call CRESTA_Bcast(one, 16, MPI_BYTE, 0, MPI_COMM_WORLD)
    if (scalar /= 2.5 .or. any(matrix /= 1.5) .or. word /= 'hello' .or. z /= (1d0, 2d0) .or. one%place /= 9) faults = faults + 1
    if (faults /= 0) print '(a)', 'Error in CRESTA_Bcast of some type'
  end subroutine

  subroutine several()
    integer :: total, one, word, from_left
    one = 1
    total = 0
    word = merge(7, 0, me == 0)
    call MPI_Irecv(from_left, 1, MPI_INTEGER, modulo(me - 1, ranks), 3, MPI_COMM_WORLD, requests(1), rc)
    call CRESTA_Allreduce_begin(one, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2))
    call CRESTA_Bcast_begin(word, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(3), rc)
    call MPI_Send(me, 1, MPI_INTEGER, modulo(me + 1, ranks), 3, MPI_COMM_WORLD, rc)
    call CRESTA_Coll_end(3, requests)
    if (total /= ranks .or. word /= 7 .or. from_left /= modulo(me - 1, ranks)) faults = faults + 1
    if (faults /= 0) print '(a)', 'Error in CRESTA_Coll_end'
  end subroutine
end program
