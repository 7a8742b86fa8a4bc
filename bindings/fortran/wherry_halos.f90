!> Halo exchange on regular grids.
module wherry_halos
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_loc, c_null_ptr, c_sizeof
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_constants
  use wherry_errors, only: refuse_next, settle
  use wherry_grids, only: box_for_c, wherry_box
  use wherry_handles, only: wherry_exchange, wherry_exchange_free, wherry_process_grid
  use wherry_interface
  use wherry_options
  use wherry_view_types, only: fault_of, wherry_view
  implicit none
  private
  public :: wherry_field, wherry_halo_exchange_create, wherry_halo_exchange_only
  public :: fields_for_c, halo_options_for_c

  !> An array and its halo.
  type :: wherry_field
    type(wherry_view) :: array
    !> The first and the last core cell, in the indices of the array.
    integer(int64) :: lower(WHERRY_MAX_HALO_DIMENSIONS) = 1, upper(WHERRY_MAX_HALO_DIMENSIONS) = 0
    !> The numbers of halo cells before and behind the core; cells of the array beyond them are padding.
    integer(int64) :: minus(WHERRY_MAX_HALO_DIMENSIONS) = 0, plus(WHERRY_MAX_HALO_DIMENSIONS) = 0
    !> For each dimension whether the values sit on planes between cells: all dimensions for nodes, one for faces. The core
    !> then has one value more than cells.
    logical :: on_planes(WHERRY_MAX_HALO_DIMENSIONS) = .false.
    character(WHERRY_MAX_NAME) :: name = '' !< for errors; blank: the field's number
  end type

  !> wherry_field(array, width [, name]): the field whose outermost cells on all sides are the halo, so many in all
  !> dimensions, or a list with a width for each. wherry_field(array, lower, upper [, name]): the field whose core goes from
  !> lower to upper, in the indices of the array, and whose other cells are the halo.
  interface wherry_field
    module procedure field_of_width, field_of_widths, field_around, field_around_int64
  end interface

  !> A box of cells, counted from the first core cell as (1, 1, ...), that wherry_exchange_ready sends.
  type, public :: wherry_halo_part
    type(wherry_box) :: cells = wherry_box()
    integer :: subdomain = 1 !< with a floor plan the number among this rank's boxes, else 1
  end type

  !> Options of a halo exchange, the same on all ranks except for `parts`, `carry%threads` and `carry%name`.
  type, public :: wherry_halo_options
    !> For each data dimension the grid dimension (from 1) along which it is cut, 0: not cut. Not allocated: dimension i
    !> along i.
    integer, allocatable :: axes(:)
    integer :: stencil = WHERRY_STENCIL_ALL
    !> With WHERRY_STENCIL_LISTED: a column of numbers -1, 0 or 1 for each direction, as seen from the cell that reads.
    integer, allocatable :: directions(:,:)
    integer :: order = WHERRY_HALO_AUTOMATIC
    logical :: reverse = .false. !< halo cells travel to the cells whose copies they are, where `update` combines them
    type(wherry_reduction) :: update = wherry_reduction() !< combines arriving elements with those that are there
    !> Combines all copies of each value and gives all of them the result.
    type(wherry_reduction) :: combine_copies = wherry_reduction()
    type(wherry_halo_part), allocatable :: parts(:) !< for wherry_exchange_start_in_parts
    type(wherry_carry_options) :: carry = wherry_carry_options()
  end type

  !> wherry_halo_exchange_create(grid, field, exchange [, options] [, ierror] [, errmsg]): plans and binds the exchange of a
  !> field, or of a list of fields, which may differ in type, layout, width and size, and travel in one message to each
  !> neighbour. Collective over the grid's communicator; each rank gives its part of the same fields in the same order.
  !> Ranks without cells give fields of extent 0. The arrays stay the program's.
  interface wherry_halo_exchange_create
    module procedure create_with_one, create_with
  end interface

  !> What the C structures of a call point to.
  type, public :: halo_memory
    character(kind=c_char), allocatable :: names(:,:)
    integer(c_int), allocatable :: axes(:), directions(:)
    type(c_wherry_halo_part), allocatable :: parts(:)
    type(names_for_c) :: letters
  end type

contains

  function field_of_width(array, width, name) result(field)
    type(wherry_view), intent(in) :: array
    integer, intent(in) :: width
    character(*), intent(in), optional :: name
    type(wherry_field) :: field
    integer :: widths(WHERRY_MAX_HALO_DIMENSIONS)
    widths = width
    field = field_of_widths(array, widths(:dimensions_of(array)), name)
  end function
  function field_of_widths(array, width, name) result(field)
    type(wherry_view), intent(in) :: array
    integer, intent(in) :: width(:)
    character(*), intent(in), optional :: name
    type(wherry_field) :: field
    integer(int64) :: lower(size(width)), upper(size(width))
    integer :: n
    n = min(dimensions_of(array), size(width))
    lower = 1
    upper = 0
    lower(:n) = array%lower(:n) + width(:n)
    upper(:n) = array%lower(:n) + array%c%extents(:n) - 1 - width(:n)
    field = field_around_int64(array, lower, upper, name)
  end function
  function field_around(array, lower, upper, name) result(field)
    type(wherry_view), intent(in) :: array
    integer, intent(in) :: lower(:), upper(:)
    character(*), intent(in), optional :: name
    type(wherry_field) :: field
    field = field_around_int64(array, int(lower, int64), int(upper, int64), name)
  end function
  function field_around_int64(array, lower, upper, name) result(field)
    type(wherry_view), intent(in) :: array
    integer(int64), intent(in) :: lower(:), upper(:)
    character(*), intent(in), optional :: name
    type(wherry_field) :: field
    integer :: n
    n = min(dimensions_of(array), size(lower), size(upper))
    field%array = array
    field%array%bounds_differ = array%bounds_differ .or. size(lower) /= dimensions_of(array) &
      .or. size(upper) /= dimensions_of(array)
    field%lower(:n) = lower(:n)
    field%upper(:n) = upper(:n)
    field%minus(:n) = field%lower(:n) - array%lower(:n)
    field%plus(:n) = array%lower(:n) + array%c%extents(:n) - 1 - field%upper(:n)
    if (present(name)) field%name = name
  end function
  pure function dimensions_of(array) result(n)
    type(wherry_view), intent(in) :: array
    integer :: n
    n = max(0, min(int(array%c%dimensions), WHERRY_MAX_HALO_DIMENSIONS))
  end function

  subroutine create_with_one(grid, field, exchange, options, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    type(wherry_field), target, intent(in) :: field
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_halo_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    call create_with(grid, [field], exchange, options, ierror, errmsg)
  end subroutine
  subroutine create_with(grid, fields, exchange, options, ierror, errmsg)
    type(wherry_process_grid), intent(in) :: grid
    type(wherry_field), target, intent(in) :: fields(:)
    type(wherry_exchange), intent(inout) :: exchange
    type(wherry_halo_options), target, intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    type(c_wherry_field), target :: list(max(size(fields), 1))
    type(c_wherry_halo_options), target :: how
    type(halo_memory), target :: memory
    integer(c_int) :: status
    call wherry_exchange_free(exchange, status)
    call fields_for_c(fields, list(:size(fields)), memory)
    how%struct_size = c_sizeof(how)
    if (present(options) .and. size(fields) > 0) &
      call halo_options_for_c(options, int(fields(1)%array%c%dimensions), how, memory)
    status = c_halo_exchange_create(grid%c_handle, size(fields, kind=c_int), c_loc(list), c_loc(how), exchange%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

  !> Fields as C wants them. What is wrong with them fails in the next call.
  subroutine fields_for_c(fields, list, memory)
    type(wherry_field), target, intent(in) :: fields(:)
    type(c_wherry_field), intent(out) :: list(size(fields))
    type(halo_memory), target, intent(inout) :: memory
    character(20) :: number
    integer :: i, d
    allocate(memory%names(WHERRY_MAX_NAME + 1, size(fields)))
    do i = 1, size(fields)
      write (number, '(i0)') i
      associate (field => fields(i), to => list(i))
        to%array = field%array%c
        do d = 1, dimensions_of(field%array)
          to%halo(d)%minus = field%minus(d)
          to%halo(d)%plus = field%plus(d)
          to%halo(d)%begin = field%lower(d) - field%array%lower(d)
          to%halo(d)%end = field%upper(d) - field%array%lower(d)
          to%halo(d)%length = field%array%c%extents(d)
        end do
        to%on_planes = merge(1_c_int, 0_c_int, field%on_planes)
        if (field%name == '') then
          to%name = put_name(number, memory%names(:, i))
        else
          to%name = put_name(field%name, memory%names(:, i))
        end if
        if (fault_of(field%array) /= '') &
          call refuse_next('field ' // trim(number) // ' is wrong: ' // fault_of(field%array))
      end associate
    end do
  end subroutine

  !> Options as C wants them, for data of so many dimensions.
  subroutine halo_options_for_c(from, dimensions, to, memory)
    type(wherry_halo_options), target, intent(in) :: from
    integer, intent(in) :: dimensions
    type(c_wherry_halo_options), intent(inout) :: to
    type(halo_memory), target, intent(inout) :: memory
    integer :: i
    if (allocated(from%axes)) then
      allocate(memory%axes(max(size(from%axes), dimensions, 1)))
      memory%axes = -1
      memory%axes(:size(from%axes)) = int(from%axes, c_int) - 1
      to%axes = c_loc(memory%axes)
      if (size(from%axes) /= dimensions) &
        call refuse_next('options%axes has not as many values as the fields have dimensions')
    end if
    to%stencil = int(from%stencil, c_int)
    if (allocated(from%directions)) then
      allocate(memory%directions(max(size(from%directions), 1)))
      memory%directions(:size(from%directions)) = int([from%directions], c_int)
      to%directions = c_loc(memory%directions)
      to%direction_count = size(from%directions, 2, kind=c_int)
      if (size(from%directions, 1) /= dimensions) then
        to%direction_count = 0
        call refuse_next('a column of options%directions has not as many values as the fields have dimensions')
      end if
    end if
    to%order = int(from%order, c_int)
    to%reverse = merge(1_c_int, 0_c_int, from%reverse)
    to%update = reduction_for_c(from%update, memory%letters%update)
    to%combine_copies = reduction_for_c(from%combine_copies, memory%letters%combine_copies)
    if (allocated(from%parts)) then
      allocate(memory%parts(max(size(from%parts), 1)))
      do i = 1, size(from%parts)
        memory%parts(i)%cells = box_for_c(from%parts(i)%cells)
        memory%parts(i)%subdomain = int(from%parts(i)%subdomain - 1, c_int)
      end do
      to%parts = c_loc(memory%parts)
      to%part_count = size(from%parts, kind=c_int)
    end if
    to%carry = carry_for_c(from%carry, memory%letters)
  end subroutine

  !> The exchange of some of the fields, counted from 1, and of at most `depth` layers of their halos; without `depth`, of
  !> all layers. Collective on the first use of this choice, local afterwards. Both exchanges are freed by themselves.
  subroutine wherry_halo_exchange_only(exchange, fields, some, depth, ierror, errmsg)
    type(wherry_exchange), intent(in) :: exchange
    integer, intent(in) :: fields(:)
    type(wherry_exchange), intent(inout) :: some
    integer, intent(in), optional :: depth
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: layers
    integer(c_int), target :: chosen(max(size(fields), 1))
    integer(c_int) :: status
    layers = -1
    chosen(:size(fields)) = int(fields - 1, c_int)
    if (present(depth)) layers = int(max(depth, 0), c_int64_t)
    call wherry_exchange_free(some, status)
    status = c_halo_exchange_only(exchange%c_handle, size(fields, kind=c_int), c_loc(chosen), layers, &
      some%c_handle)
    call settle(status, ierror, errmsg)
  end subroutine

end module
