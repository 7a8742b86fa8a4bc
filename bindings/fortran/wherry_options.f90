!> Operations, and options that all patterns share.
module wherry_options
  use, intrinsic :: iso_c_binding, only: c_char, c_funptr, c_int, c_int32_t, c_int64_t, c_loc, c_null_char, &
    c_null_funptr, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use wherry_constants, only: WHERRY_NO_OPERATION
  use wherry_interface, only: c_wherry_carry_options, c_wherry_reduction
  implicit none
  private
  public :: wherry_combine_function, put_name, carry_for_c, reduction_for_c

  !> The longest name of an exchange, a field, an operation or a transport. Longer ones are cut off.
  integer, parameter, public :: WHERRY_MAX_NAME = 63

  !> How the data of an exchange travels. The same on all ranks except for `threads` and `name`.
  type, public :: wherry_carry_options
    character(WHERRY_MAX_NAME) :: transport = '' !< the name of a transport; blank: 'auto'
    logical :: snapshot = .false.        !< `start` copies what is sent, which may then be written at once
    logical :: progress_thread = .false. !< a thread carries the exchange; wants MPI_THREAD_MULTIPLE
    logical :: free_buffers = .false.    !< memory for messages is freed after each exchange
    integer(int64) :: packet_bytes = 0   !< larger messages are cut into packets of this size; 0: none are
    integer :: threads = 0               !< number of threads that pack large messages; 0 or 1: the caller alone
    character(WHERRY_MAX_NAME) :: name = '' !< for errors, statistics and traces
  end type

  !> How elements are combined: a known operation, or a function of the program's. By default they are stored.
  !> wherry_reduction(WHERRY_ADD); wherry_reduction(function=c_funloc(keep), name='keep', type=WHERRY_FLOAT64)
  type, public :: wherry_reduction
    integer :: operation = WHERRY_NO_OPERATION
    type(c_funptr) :: function = c_null_funptr !< of a bind(c) function like wherry_combine_function
    type(c_ptr) :: context = c_null_ptr        !< handed to `function`
    character(WHERRY_MAX_NAME) :: name = ''    !< of `function`, by which ranks compare it
    integer(c_int32_t) :: type = 0             !< of the elements that `function` combines
  end type

  abstract interface
    !> into(i) = into(i) (op) from(i) for `count` elements. The function must not call Wherry. A result that is not 0 is an
    !> error.
    function wherry_combine_function(into, from, count, context) bind(c) result(failure)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: into, from
      integer(c_size_t), value :: count
      type(c_ptr), value :: context
      integer(c_int) :: failure
    end function
  end interface

  !> Where the names of options lie while C reads them.
  type, public :: names_for_c
    character(kind=c_char) :: transport(WHERRY_MAX_NAME + 1), name(WHERRY_MAX_NAME + 1)
    character(kind=c_char) :: update(WHERRY_MAX_NAME + 1), combine_copies(WHERRY_MAX_NAME + 1)
  end type

contains

  !> Copies a name, and gives its address; a blank name is null.
  function put_name(name, letters) result(address)
    character(*), intent(in) :: name
    character(kind=c_char), target, intent(out) :: letters(WHERRY_MAX_NAME + 1)
    type(c_ptr) :: address
    integer :: i
    letters = c_null_char
    do i = 1, len_trim(name)
      letters(i) = name(i:i)
    end do
    address = c_null_ptr
    if (len_trim(name) > 0) address = c_loc(letters)
  end function

  function carry_for_c(from, names) result(to)
    type(wherry_carry_options), intent(in) :: from
    type(names_for_c), target, intent(inout) :: names
    type(c_wherry_carry_options) :: to
    to%transport = put_name(from%transport, names%transport)
    to%snapshot = merge(1_c_int, 0_c_int, from%snapshot)
    to%progress_thread = merge(1_c_int, 0_c_int, from%progress_thread)
    to%free_buffers = merge(1_c_int, 0_c_int, from%free_buffers)
    to%packet_bytes = int(from%packet_bytes, c_int64_t)
    to%threads = int(from%threads, c_int)
    to%name = put_name(from%name, names%name)
  end function

  function reduction_for_c(from, letters) result(to)
    type(wherry_reduction), target, intent(in) :: from
    character(kind=c_char), target, intent(inout) :: letters(WHERRY_MAX_NAME + 1)
    type(c_wherry_reduction) :: to
    to%operation = int(from%operation, c_int)
    to%function = from%function
    to%context = from%context
    to%name = put_name(from%name, letters)
    to%type = from%type
  end function

end module
