!> Arrays of particles, whose lengths the exchanges change, and where in them the positions are.
module wherry_particle_arrays
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_f_procpointer, c_funloc, c_int, c_int32_t, c_int64_t, &
    c_loc, c_null_ptr, c_ptr, c_size_t
  use wherry_constants
  use wherry_errors, only: refuse, settle
  use wherry_interface
  !> An array of the program's with an element for each particle, which becomes longer and shorter as particles come and
  !> go. wherry_growing_array and wherry_fixed_array make it; wherry_particle_view shows its elements.
  use wherry_interface, only: wherry_particle_array => c_wherry_particle_array
  use wherry_view_types, only: wherry_view
  implicit none
  private
  public :: wherry_particle_array, wherry_growing_array, wherry_fixed_array, wherry_particle_view, wherry_particle_resize
  public :: wherry_particle_free
  public :: positions_for_c, in_place, lie_apart

  ! The meaning of the elements of an array of particles.
  integer, parameter, public :: WHERRY_ONE_EACH = 0 !< element i belongs to particle i
  integer, parameter, public :: WHERRY_LENGTHS = 1  !< element i is the number of values of particle i in the next array
  integer, parameter, public :: WHERRY_VALUES = 2   !< the values of all particles, one particle behind the other

  !> Where the positions of particles are. By default each of the first arrays has one coordinate; or the first array has
  !> as many components as the space has dimensions, which are the coordinates.
  type, public :: wherry_positions
    logical :: in_structures = .false. !< coordinate d is in the structures of the first array, at offsets(d)
    integer(c_int32_t) :: type = WHERRY_FLOAT64 !< of a coordinate in a structure
    integer :: offsets(3) = 0 !< in bytes from the beginning of the structure
  end type

  type(wherry_particle_array), target, save :: none(1) !< without elements, for a call that C refuses
  character(*), parameter :: lie_apart = 'the arrays are not side by side in memory, where they must stay until the wait'

  abstract interface
    !> What `grow` of an array is.
    function grow_function(data, bytes, context) bind(c) result(address)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: data
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: context
      type(c_ptr) :: address
    end function
  end interface
  interface
    function own_reallocate(data, bytes, context) bind(c, name='wherry_reallocate') result(address)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: data
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: context
      type(c_ptr) :: address
    end function
    subroutine own_free(data) bind(c, name='free')
      import :: c_ptr
      type(c_ptr), value :: data
    end subroutine
  end interface

contains

  !> An array without elements whose memory grows. wherry_particle_free frees it.
  function wherry_growing_array(type, components, role) result(array)
    integer(c_int32_t), intent(in) :: type
    integer, intent(in), optional :: components !< an element consists of this many numbers of `type`
    integer, intent(in), optional :: role
    type(wherry_particle_array) :: array
    array%type = type
    array%components = 1
    if (present(components)) array%components = int(components, c_int)
    if (present(role)) array%role = int(role, c_int)
    array%grow = c_funloc(own_reallocate)
  end function

  !> An array in the program's memory, which does not grow, and of which the first `count` elements are there. The view has
  !> one dimension, or two if the first one counts the components.
  function wherry_fixed_array(view, count, role) result(array)
    type(wherry_view), intent(in) :: view
    integer, intent(in) :: count
    integer, intent(in), optional :: role
    type(wherry_particle_array) :: array
    array%data = view%c%data
    array%count = count
    array%type = view%c%type
    array%components = max(view%c%components, 1_c_int)
    if (view%c%dimensions == 2) array%components = array%components * int(view%c%extents(1), c_int)
    array%capacity = view%c%extents(max(int(view%c%dimensions), 1))
    if (present(role)) array%role = int(role, c_int)
    if (view%c%dimensions > 2 .or. view%c%strides(1) /= 1 .or. &
      (view%c%dimensions == 2 .and. view%c%strides(2) /= view%c%extents(1) .and. view%c%extents(2) > 1)) array%components = -1
  end function

  !> The elements of an array, in one dimension, or with several components in two. It is valid until the array changes.
  function wherry_particle_view(array) result(view)
    type(wherry_particle_array), target, intent(in) :: array
    type(wherry_view) :: view
    view%c%data = array%data
    view%c%dimensions = 1
    view%c%components = array%components
    view%c%type = array%type
    view%c%extents(1) = array%count
    view%c%strides(1) = 1
  end function

  !> Gives an array so many elements; new ones have no value. The array's own `grow` gives it more memory. Local.
  subroutine wherry_particle_resize(array, count, ierror, errmsg)
    type(wherry_particle_array), target, intent(inout) :: array
    integer, intent(in) :: count
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: bytes
    type(c_ptr) :: memory
    procedure(grow_function), pointer :: grow
    integer(c_int) :: status
    status = WHERRY_SUCCESS
    if (count > array%capacity) then
      if (.not. c_associated(array%grow)) then
        status = refuse('wherry_particle_resize', 'the array''s memory does not grow')
      else
        bytes = int(max(array%components, 1_c_int), c_int64_t) * iand(array%type, int(z'00ffffff', c_int32_t))
        memory = c_null_ptr
        if (bytes > 0 .and. count <= huge(bytes) / max(bytes, 1_c_int64_t)) then
          call c_f_procpointer(array%grow, grow)
          memory = grow(array%data, int(count * bytes, c_size_t), array%context)
        end if
        if (c_associated(memory)) then
          array%data = memory
          array%capacity = count
        else
          status = refuse('wherry_particle_resize', 'there is too little memory')
        end if
      end if
    end if
    if (status == WHERRY_SUCCESS) array%count = max(count, 0)
    call settle(status, ierror, errmsg)
  end subroutine
  !> Frees the memory of an array of wherry_growing_array. One that does not grow only forgets its memory; one with a
  !> `grow` of the program's is refused and stays as it is, as only the program can free its memory. Local.
  subroutine wherry_particle_free(array, ierror, errmsg)
    type(wherry_particle_array), target, intent(inout) :: array
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    status = WHERRY_SUCCESS
    if (c_associated(array%grow) .and. c_associated(array%data)) then
      if (c_associated(array%grow, c_funloc(own_reallocate))) then
        call own_free(array%data)
      else
        status = refuse('wherry_particle_free', 'the array''s memory is from the program''s own ''grow'', and the program frees it')
      end if
    end if
    if (status == WHERRY_SUCCESS) then
      array%data = c_null_ptr
      array%count = 0
      array%capacity = 0
    end if
    call settle(status, ierror, errmsg)
  end subroutine

  function positions_for_c(from) result(to)
    type(wherry_positions), intent(in) :: from
    type(c_wherry_positions) :: to
    if (.not. from%in_structures) return
    to%in_structures = 1
    to%type = from%type
    to%offsets = int(from%offsets, c_size_t)
  end function

  !> The same structures, which C may keep by their address: no compiler copies them on the way to it.
  subroutine in_place(arrays, all)
    type(wherry_particle_array), target, intent(inout) :: arrays(:)
    type(wherry_particle_array), pointer, contiguous, intent(out) :: all(:)
    if (size(arrays) > 0 .and. is_contiguous(arrays)) then
      call c_f_pointer(c_loc(arrays(lbound(arrays, 1))), all, [size(arrays)])
    else
      none%type = WHERRY_FLOAT64
      all => none
    end if
  end subroutine

end module
