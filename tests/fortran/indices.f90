! Index exchanges and ghost layers, against the value that each element must have; plans; what is refused.
program indices
  use test_support
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  integer :: number
  call begin()
  do number = 1, 20
    call random_case()
  end do
  call by_own_lists()
  call by_flat_lists()
  call of_layers()
  call wrong_arguments()
  call finish('indices')
contains
  ! Elements are dealt out to ranks by a hash; each rank has copies of some others.
  integer function owner(id, salt)
    integer, intent(in) :: id, salt
    owner = modulo(id * 7919 + salt * 31 + id / 3, ranks)
  end function
  subroutine random_case()
    integer :: elements, salt, id, i, n
    integer, allocatable :: rows(:), externals(:), places(:)
    type(wherry_ghost), allocatable :: ghosts(:)
    type(wherry_index_lists) :: lists, same
    type(wherry_exchange) :: fill, back, bound
    type(wherry_index_plan) :: plan
    type(wherry_index_options) :: options
    real(real64), allocatable, target :: u(:), v(:)
    integer(int32), allocatable, target :: w(:,:)
    character(:), allocatable :: text
    elements = pick(0, 60)
    salt = pick(0, 1000)
    rows = pack([(id, id = 0, elements - 1)], [(owner(id, salt) == rank, id = 0, elements - 1)])
    externals = pack([(id, id = elements - 1, 0, -1)], &
      [(owner(id, salt) /= rank .and. modulo(id * 13 + rank, 3) > 0, id = elements - 1, 0, -1)])
    n = size(rows) + size(externals)
    places = [rows, externals]
    call wherry_index_lists_create_from_ids(comm, rows, externals, lists)
    ! The same from ghosts, whose places at their owners are the number of the owner's ids up to theirs.
    allocate(ghosts(size(externals)))
    do i = 1, size(externals)
      ghosts(i)%owner = owner(externals(i), salt)
      ghosts(i)%index_there = count([(owner(id, salt) == ghosts(i)%owner, id = 0, externals(i))])
      ghosts(i)%index_here = size(rows) + i
    end do
    call wherry_index_lists_create_from_ghosts(comm, ghosts, same)
    call require_same(lists, same)
    allocate(u(n), v(2 * n), w(3, n))
    u = -1
    u(:size(rows)) = rows
    w = -1
    do i = 1, size(rows)
      w(:, i) = rows(i) + [0, 100, 200]
    end do
    call wherry_index_exchange_create(comm, lists, [wherry_view(u), wherry_view(w)], fill)
    call wherry_exchange_run(fill)
    call require(all(nint(u) == places), 'elements of one number')
    do i = 1, n
      call require(all(w(:, i) == places(i) + [0, 100, 200]), 'elements of three numbers')
    end do
    ! Every other element of a longer array, by a plan, and elements whose components lie apart.
    v = -1
    v(1:2 * size(rows):2) = rows
    call wherry_index_plan_create(comm, same, wherry_view(v(::2)), plan)
    call wherry_index_plan_bind(plan, bound)
    call wherry_index_plan_to_json(plan, text)
    call require(text(1:1) == '{', 'a plan as JSON')
    call wherry_index_plan_free(plan)
    call wherry_exchange_start(bound)
    call wherry_exchange_wait(bound)
    call require(all(nint(v(::2)) == places) .and. all(nint(v(2::2)) == -1), 'every other element')
    ! Back, added.
    options%reverse = .true.
    options%update = wherry_reduction(WHERRY_ADD)
    u = 1
    call wherry_index_exchange_create(comm, lists, wherry_view(u), back, options)
    call wherry_exchange_run(back)
    do i = 1, size(rows)
      id = count([(n /= rank .and. modulo(rows(i) * 13 + n, 3) > 0, n = 0, ranks - 1)])
      call require(nint(u(i)) == 1 + id, 'the number of copies')
    end do
  end subroutine
  subroutine require_same(a, b)
    type(wherry_index_lists), intent(in) :: a, b
    type(wherry_peer_indices), allocatable :: one(:), two(:)
    integer :: i, way
    do way = 1, 2
      if (way == 1) then
        call wherry_index_lists_sends(a, one)
        call wherry_index_lists_sends(b, two)
      else
        call wherry_index_lists_receives(a, one)
        call wherry_index_lists_receives(b, two)
      end if
      call require(size(one) == size(two), 'as many lists')
      do i = 1, size(one)
        call require(one(i)%peer == two(i)%peer .and. size(one(i)%at) == size(two(i)%at), 'lists of the same lengths')
        call require(all(one(i)%at == two(i)%at) .and. all(one(i)%at >= 1), 'the same lists')
      end do
    end do
  end subroutine

  subroutine by_own_lists()
    type(wherry_peer_indices) :: sends(1), receives(1)
    type(wherry_index_lists) :: lists
    type(wherry_exchange) :: shift
    type(wherry_index_options) :: options
    integer(int64), target :: u(6)
    sends(1) = wherry_peer_indices(modulo(rank + 1, ranks), [3_int64, 1_int64])
    receives(1) = wherry_peer_indices(modulo(rank - 1, ranks), [5_int64, 6_int64])
    call wherry_index_lists_create(sends, receives, lists)
    options%parts = [wherry_index_part(1, 2), wherry_index_part(3, 3)]
    call wherry_index_exchange_create(comm, lists, wherry_view(u), shift, options)
    u = [10, 20, 30, 40, 0, 0] + 100 * rank
    call wherry_exchange_start_in_parts(shift)
    call wherry_exchange_ready(shift, 2)
    call wherry_exchange_ready(shift, 1)
    call wherry_exchange_wait(shift)
    call require(all(u(5:6) == [30, 10] + 100 * modulo(rank - 1, ranks)), 'elements of the rank before')
    call require(all(u(1:4) == [10, 20, 30, 40] + 100 * rank), 'own elements')
  end subroutine
  subroutine by_flat_lists()
    type(wherry_index_lists) :: lists
    type(wherry_exchange) :: fill
    real(real32), target :: u(3)
    integer :: none(0)
    if (ranks == 1) then
      call wherry_index_lists_create_from_flat(comm, none, none, none, none, lists, rows=2)
    else if (ranks == 2) then
      call wherry_index_lists_create_from_flat(comm, [1 - rank], [1], [2], [1], lists, rows=2)
    else
      call wherry_index_lists_create_from_flat(comm, [modulo(rank + 1, ranks), modulo(rank - 1, ranks)], [1, 0], [2], &
        [0, 1], lists, received=[3])
    end if
    u = real([1, 2, 0] + 10 * rank)
    call wherry_index_exchange_create(comm, lists, wherry_view(u), fill)
    call wherry_exchange_run(fill)
    if (ranks > 1) call require(nint(u(3)) == 2 + 10 * modulo(rank - 1, ranks), 'the last row of the rank before')
  end subroutine

  ! A line of elements, three for each rank, with two layers of ghosts on both sides.
  subroutine of_layers()
    type(wherry_layer_ids) :: externals(2)
    type(wherry_layer_ghosts) :: ghosts(2)
    type(wherry_ghost_layers) :: layers, others
    type(wherry_layered_field) :: field(1)
    type(wherry_index_lists) :: lists(2)
    type(wherry_statistics) :: moved
    type(wherry_view) :: view
    integer(int64), target :: u(7)
    integer(int64) :: first
    integer :: depth, n, layer
    logical :: done
    character(:), allocatable :: text
    first = 3 * rank
    if (ranks < 3) return ! each element has one ghost on a rank at most
    externals(1)%ids = modulo([first - 1, first + 3], int(3 * ranks, int64))
    externals(2)%ids = modulo([first - 2, first + 4], int(3 * ranks, int64))
    call wherry_ghost_layers_create_from_ids(comm, [first, first + 1, first + 2], externals, layers)
    call wherry_ghost_layers_depth(layers, depth)
    call wherry_ghost_layers_elements(layers, 1, n)
    call require(depth == 2 .and. n == 5, 'the depth, and the elements of one layer')
    call wherry_layered_field_create(layers, wherry_view(u), field(1), 'a line')
    u = -1
    u(1:3) = [first, first + 1, first + 2]
    call wherry_ghost_layers_exchange(layers, 1, field)
    call require(all(u(4:5) == externals(1)%ids) .and. all(u(6:7) == -1), 'one layer')
    call wherry_layered_field_clean_depth(field(1), depth)
    call require(depth == 1, 'one layer is clean')
    call wherry_ghost_layers_start_if_needed(layers, 2, field)
    done = .false.
    do while (.not. done)
      call wherry_ghost_layers_test(layers, done)
    end do
    call require(all(u(6:7) == externals(2)%ids), 'the second layer')
    call wherry_ghost_layers_exchange_if_needed(layers, 2, field)
    call wherry_layered_field_mark_written(field(1), 1)
    call wherry_layered_field_clean_depth(field(1), depth)
    call require(depth == 1, 'one layer is clean again')
    call wherry_layered_field_array(field(1), view)
    call require(view%c%extents(1) == 7, 'the array of the field')
    call wherry_ghost_layers_explain(layers, text)
    call wherry_ghost_layers_statistics(layers, moved)
    call require(len(text) > 10 .and. moved%exchanges >= 2, 'what they tell')
    ! From lists, from ghosts, and as a copy; added to the owners.
    do layer = 1, 2
      call wherry_ghost_layers_lists(layers, layer, lists(layer))
      allocate(ghosts(layer)%ghosts(2))
      ghosts(layer)%ghosts%owner = int(externals(layer)%ids / 3)
      ghosts(layer)%ghosts%index_there = modulo(externals(layer)%ids, 3_int64) + 1
      ghosts(layer)%ghosts%index_here = [2, 3] + 2 * layer
    end do
    do layer = 1, 3
      if (layer == 1) call wherry_ghost_layers_create(comm, lists, others)
      if (layer == 2) call wherry_ghost_layers_create_from_ghosts(comm, ghosts, others)
      if (layer == 3) call wherry_ghost_layers_copy(layers, others)
      u = -1
      u(1:3) = [first, first + 1, first + 2]
      call wherry_ghost_layers_start_arrays(others, 2, [wherry_view(u)])
      call wherry_ghost_layers_wait(others)
      call require(all(u(4:7) == [externals(1)%ids, externals(2)%ids]), 'both layers')
      u = 1
      call wherry_ghost_layers_start_reduce_arrays(others, 1, [wherry_view(u)])
      call wherry_ghost_layers_wait(others)
      call require(all(u(1:3) == [2, 1, 2]), 'sums at the owners')
    end do
    call wherry_ghost_layers_reduce_to_owners(layers, 1, field)
    call require(all(u(1:3) == [3, 1, 3]), 'sums of a field')
    call wherry_ghost_layers_start(layers, 1, field)
    call wherry_ghost_layers_abandon(layers)
    call wherry_ghost_layers_start(layers, 1, field, n)
    call require(n == WHERRY_ERROR_STATE, 'given up')
  end subroutine

  subroutine wrong_arguments()
    type(wherry_index_lists) :: lists
    type(wherry_exchange) :: fill
    type(wherry_ghost_layers) :: layers
    type(wherry_layer_ids) :: none(0)
    type(wherry_ghost) :: ghost(1)
    real(real64), target :: u(3)
    integer :: ierror
    character(300) :: text
    call wherry_index_exchange_create(comm, lists, wherry_view(u), fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, "'lists' is NULL")
    ghost(1)%owner = merge(ranks, 0, rank == ranks - 1)
    call wherry_index_lists_create_from_ghosts(comm, ghost, lists, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'rank')
    call wherry_index_lists_create_from_ids(comm, [rank], [888], lists, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '888')
    call wherry_index_lists_create([wherry_peer_indices :: ], [wherry_peer_indices :: ], lists)
    call wherry_index_exchange_create(comm, lists, wherry_view(u, [1, 1]), fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'array 1 is wrong')
    call wherry_index_exchange_create(comm, lists, [wherry_view :: ], fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, "the number of 'arrays' is 0")
    call wherry_ghost_layers_create_from_ids(comm, [int(rank, int64)], none, layers, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'layer')
  end subroutine
end program
