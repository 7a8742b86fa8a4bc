!> Ghosts of an unstructured mesh in several layers: one plan for all depths, element types and fields. Layer 1 is next to a
!> rank's own elements, and an exchange of depth d fills layers 1 to d.
module wherry_layers
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_errors, only: refuse, settle, text_of
  use wherry_exchanges, only: wherry_statistics
  use wherry_handles
  use wherry_indices, only: integers_of, wherry_ghost
  use wherry_interface
  use wherry_options
  use wherry_shapes, only: view_from_c
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_ghost_layers_create, wherry_ghost_layers_create_from_ids, wherry_ghost_layers_create_from_ghosts
  public :: wherry_ghost_layers_copy, wherry_ghost_layers_depth, wherry_ghost_layers_elements, wherry_ghost_layers_lists
  public :: wherry_ghost_layers_explain, wherry_ghost_layers_statistics
  public :: wherry_layered_field_create, wherry_layered_field_mark_written, wherry_layered_field_clean_depth
  public :: wherry_layered_field_array
  public :: wherry_ghost_layers_start, wherry_ghost_layers_start_if_needed, wherry_ghost_layers_start_reduce_to_owners
  public :: wherry_ghost_layers_exchange, wherry_ghost_layers_exchange_if_needed, wherry_ghost_layers_reduce_to_owners
  public :: wherry_ghost_layers_test, wherry_ghost_layers_wait, wherry_ghost_layers_abandon
  public :: wherry_ghost_layers_start_arrays, wherry_ghost_layers_start_reduce_arrays

  !> The global ids of the ghosts in one layer.
  type, public :: wherry_layer_ids
    integer(int64), allocatable :: ids(:)
  end type
  !> The ghosts in one layer.
  type, public :: wherry_layer_ghosts
    type(wherry_ghost), allocatable :: ghosts(:)
  end type

  !> Options of ghost layers, the same on all ranks except for `carry%threads` and `carry%name`.
  type, public :: wherry_layer_options
    !> By which elements are combined with their ghosts; by default WHERRY_ADD.
    type(wherry_reduction) :: update = wherry_reduction()
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

contains

  subroutine put_options(from, to, names)
    type(wherry_layer_options), target, intent(in), optional :: from
    type(c_wherry_layer_options), intent(inout) :: to
    type(names_for_c), target, intent(inout) :: names
    to%struct_size = c_sizeof(to)
    if (.not. present(from)) return
    to%update = reduction_for_c(from%update, names%update)
    to%carry = carry_for_c(from%carry, names)
  end subroutine

  !> Makes layers from the index lists of each layer. Collective over `comm`.
  subroutine wherry_ghost_layers_create(comm, lists, layers, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_index_lists), intent(in) :: lists(:)
    type(wherry_ghost_layers), intent(inout) :: layers
    type(wherry_layer_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(lists), 1))
    type(c_wherry_layer_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    call wherry_ghost_layers_free(layers, status)
    call put_options(options, how, names)
    each(:size(lists)) = lists%c_handle
    status = c_ghost_layers_create(comm%c_handle, size(lists, kind=c_int), c_loc(each), c_loc(how), layers%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes layers for elements that ranks know by global ids only: those of this rank's elements, and for each layer those
  !> of the ghosts in it. Locally the ghosts follow the rows, layer by layer, in this order. Collective over `comm`.
  subroutine wherry_ghost_layers_create_from_ids(comm, rows, externals, layers, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    integer(int64), intent(in) :: rows(:)
    type(wherry_layer_ids), target, intent(in) :: externals(:)
    type(wherry_ghost_layers), intent(inout) :: layers
    type(wherry_layer_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(int64), target :: own(size(rows))
    type(c_wherry_integers), target :: each(max(size(externals), 1))
    type(c_wherry_layer_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    integer :: i
    call wherry_ghost_layers_free(layers, status)
    call put_options(options, how, names)
    own = rows
    do i = 1, size(externals)
      if (allocated(externals(i)%ids)) each(i) = integers_of(externals(i)%ids)
    end do
    status = c_ghost_layers_create_from_ids(comm%c_handle, integers_of(own), size(externals, kind=c_int), c_loc(each), &
      c_loc(how), layers%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes layers for ghosts whose owners are known, in any order within a layer. Collective over `comm`.
  subroutine wherry_ghost_layers_create_from_ghosts(comm, ghosts, layers, options, ierror, errmsg)
    type(wherry_communicator), intent(in) :: comm
    type(wherry_layer_ghosts), intent(in) :: ghosts(:)
    type(wherry_ghost_layers), intent(inout) :: layers
    type(wherry_layer_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_ghost), allocatable, target :: all(:)
    type(c_ptr), target :: each(max(size(ghosts), 1))
    integer(c_int64_t), target :: counts(max(size(ghosts), 1))
    type(c_wherry_layer_options), target :: how
    type(names_for_c), target :: names
    integer(c_int) :: status
    integer :: i, n
    call wherry_ghost_layers_free(layers, status)
    call put_options(options, how, names)
    counts = 0
    each = c_null_ptr
    do i = 1, size(ghosts)
      if (allocated(ghosts(i)%ghosts)) counts(i) = size(ghosts(i)%ghosts)
    end do
    allocate(all(max(sum(counts), 1_c_int64_t)))
    n = 0
    do i = 1, size(ghosts)
      if (counts(i) == 0) cycle
      each(i) = c_loc(all(n + 1))
      all(n + 1:n + counts(i))%owner = int(ghosts(i)%ghosts%owner, c_int)
      all(n + 1:n + counts(i))%index_there = ghosts(i)%ghosts%index_there - 1
      all(n + 1:n + counts(i))%index_here = ghosts(i)%ghosts%index_here - 1
      n = n + int(counts(i))
    end do
    status = c_ghost_layers_create_from_ghosts(comm%c_handle, size(ghosts, kind=c_int), c_loc(counts), c_loc(each), &
      c_loc(how), layers%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Makes layers that have the same ghosts and fields, and exchanges of their own: for a second exchange in flight. Local.
  subroutine wherry_ghost_layers_copy(layers, copy, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    type(wherry_ghost_layers), intent(inout) :: copy
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_ghost_layers_free(copy, status)
    call settle(c_ghost_layers_copy(layers%c_handle, copy%c_handle), ierror, errmsg)
  end subroutine
  !> The number of layers. Local.
  subroutine wherry_ghost_layers_depth(layers, depth, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(out) :: depth
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number
    number = 0
    status = c_ghost_layers_depth(layers%c_handle, number)
    depth = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The number of elements that an array must have for an exchange of this depth. Local.
  subroutine wherry_ghost_layers_elements(layers, depth, elements, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    integer, intent(out) :: elements
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: number
    integer(c_int) :: status
    number = 0
    status = c_ghost_layers_elements(layers%c_handle, int(depth, c_int), number)
    elements = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The index lists of one layer, as an object of its own. Local.
  subroutine wherry_ghost_layers_lists(layers, layer, lists, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: layer
    type(wherry_index_lists), intent(inout) :: lists
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    call wherry_index_lists_free(lists, status)
    call settle(c_ghost_layers_lists(layers%c_handle, int(layer, c_int), lists%c_handle), ierror, errmsg)
  end subroutine
  !> The layers, and every exchange that has been bound, as a text for people. Local.
  subroutine wherry_ghost_layers_explain(layers, text, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: address
    integer(c_int) :: status
    address = c_null_ptr
    status = c_ghost_layers_explain(layers%c_handle, address)
    text = ''
    if (status == 0) text = text_of(address)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The sums of the figures of all exchanges that have been bound. Local.
  subroutine wherry_ghost_layers_statistics(layers, statistics, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    type(wherry_statistics), intent(out) :: statistics
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_statistics) :: moved
    integer(c_int) :: status
    status = c_ghost_layers_statistics(layers%c_handle, moved)
    statistics = wherry_statistics(moved%exchanges, moved%bytes_sent, moved%bytes_received, moved%bytes_copied, &
      moved%seconds_waiting, moved%seconds_copying)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes a field of an array, with an account of the layers whose ghosts have the values of their owners. The array stays
  !> the program's. Local.
  subroutine wherry_layered_field_create(layers, array, field, name, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    type(wherry_view), intent(in) :: array
    type(wherry_layered_field), intent(inout) :: field
    character(*), intent(in), optional :: name !< for errors
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(names_for_c), target :: names
    type(c_ptr) :: ignored
    integer(c_int) :: status
    call wherry_layered_field_free(field, status)
    ignored = put_name('a field', names%name)
    if (present(name)) ignored = put_name(name, names%name)
    status = c_layered_field_create(layers%c_handle, array%c, names%name, field%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Says that owned elements were written. Then no layer is clean, or only layers 1 to `depth`, if their ghosts were
  !> computed here to the same values as at their owners. Local, but all ranks call it alike.
  subroutine wherry_layered_field_mark_written(field, depth, ierror, errmsg)
    type(wherry_layered_field), intent(in) :: field
    integer, intent(in), optional :: depth
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: layers
    layers = 0
    if (present(depth)) layers = int(depth, c_int)
    call settle(c_layered_field_mark_written(field%c_handle, layers), ierror, errmsg)
  end subroutine
  !> The number of layers that are clean. Local.
  subroutine wherry_layered_field_clean_depth(field, depth, ierror, errmsg)
    type(wherry_layered_field), intent(in) :: field
    integer, intent(out) :: depth
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, number
    number = 0
    status = c_layered_field_clean_depth(field%c_handle, number)
    depth = int(number)
    call settle(status, ierror, errmsg)
  end subroutine
  !> The array with which the field was made. Local.
  subroutine wherry_layered_field_array(field, array, ierror, errmsg)
    type(wherry_layered_field), intent(in) :: field
    type(wherry_view), intent(out) :: array
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view) :: from
    integer(c_int) :: status
    status = c_layered_field_array(field%c_handle, from)
    if (status == 0) array = view_from_c(from)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Makes progress. `done` tells whether the exchange is complete, or none is in flight.
  subroutine wherry_ghost_layers_test(layers, done, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    logical, intent(out) :: done
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status, complete
    complete = 0
    status = c_ghost_layers_test(layers%c_handle, complete)
    done = complete /= 0
    call settle(status, ierror, errmsg)
  end subroutine
  !> Returns when the exchange in flight is complete.
  subroutine wherry_ghost_layers_wait(layers, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_layers_wait(layers%c_handle), ierror, errmsg)
  end subroutine
  !> Gives up the exchange in flight. The layers can then only be copied and freed.
  subroutine wherry_ghost_layers_abandon(layers, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call settle(c_ghost_layers_abandon(layers%c_handle), ierror, errmsg)
  end subroutine

  !> Begins to fill the ghosts of layers 1 to `depth` of all fields. All ranks make the same calls with the same depths and
  !> the same kinds of arrays. Until the exchange is complete, elements that are sent must not be written, and those ghosts
  !> must not be read.
  subroutine wherry_ghost_layers_start(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_start(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> Begins as wherry_ghost_layers_start, but moves only layers that are not clean. If all are clean, nothing moves.
  subroutine wherry_ghost_layers_start_if_needed(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_start_if_needed(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> Begins to combine the ghosts of layers 1 to `depth` with the elements of which they are copies, at their owners. The
  !> ghosts keep their values. The fields count as written.
  subroutine wherry_ghost_layers_start_reduce_to_owners(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_start_reduce_to_owners(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> wherry_ghost_layers_start and wherry_ghost_layers_wait.
  subroutine wherry_ghost_layers_exchange(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_exchange(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> wherry_ghost_layers_start_if_needed and wherry_ghost_layers_wait.
  subroutine wherry_ghost_layers_exchange_if_needed(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_exchange_if_needed(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> wherry_ghost_layers_start_reduce_to_owners and wherry_ghost_layers_wait.
  subroutine wherry_ghost_layers_reduce_to_owners(layers, depth, fields, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_layered_field), intent(in) :: fields(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_ptr), target :: each(max(size(fields), 1))
    integer(c_int) :: status
    each(:size(fields)) = fields%c_handle
    status = c_ghost_layers_reduce_to_owners(layers%c_handle, int(depth, c_int), size(fields, kind=c_int), c_loc(each))
    call settle(status, ierror, errmsg)
  end subroutine

  !> As wherry_ghost_layers_start, for arrays without an account of what is clean.
  subroutine wherry_ghost_layers_start_arrays(layers, depth, arrays, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_view), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view), target :: list(max(size(arrays), 1))
    integer(c_int) :: status
    integer :: i
    status = 0
    do i = 1, size(arrays)
      list(i) = arrays(i)%c
      if (fault_of(arrays(i)) /= '') status = &
        refuse('wherry_ghost_layers_start_arrays', 'an array is wrong: ' // fault_of(arrays(i)))
    end do
    if (status == 0) &
      status = c_ghost_layers_start_arrays(layers%c_handle, int(depth, c_int), size(arrays, kind=c_int), c_loc(list))
    call settle(status, ierror, errmsg)
  end subroutine

  !> As wherry_ghost_layers_start_reduce_to_owners, for arrays without an account of what is clean.
  subroutine wherry_ghost_layers_start_reduce_arrays(layers, depth, arrays, ierror, errmsg)
    type(wherry_ghost_layers), intent(in) :: layers
    integer, intent(in) :: depth
    type(wherry_view), intent(in) :: arrays(:)
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_view), target :: list(max(size(arrays), 1))
    integer(c_int) :: status
    integer :: i
    status = 0
    do i = 1, size(arrays)
      list(i) = arrays(i)%c
      if (fault_of(arrays(i)) /= '') status = &
        refuse('wherry_ghost_layers_start_reduce_arrays', 'an array is wrong: ' // fault_of(arrays(i)))
    end do
    if (status == 0) &
      status = c_ghost_layers_start_reduce_arrays(layers%c_handle, int(depth, c_int), size(arrays, kind=c_int), c_loc(list))
    call settle(status, ierror, errmsg)
  end subroutine

end module
