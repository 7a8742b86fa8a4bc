!> Constants of the C interface (the headers in wherry/c), with the same values.
module wherry_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t
  implicit none
  public
  private :: c_int32_t

  ! What a call returns in `ierror`.
  integer, parameter :: WHERRY_SUCCESS = 0
  integer, parameter :: WHERRY_ERROR_ARGUMENT = 1 !< an argument is wrong by itself; nothing was sent
  integer, parameter :: WHERRY_ERROR_MISMATCH = 2 !< ranks disagree with one another; nothing was sent
  integer, parameter :: WHERRY_ERROR_STATE = 3    !< the call is not allowed now, for example a second start
  integer, parameter :: WHERRY_ERROR_RESOURCE = 4 !< memory or another resource is exhausted, or a callback failed
  integer, parameter :: WHERRY_ERROR_TIMEOUT = 5  !< some rank did not arrive within WHERRY_TIMEOUT
  integer, parameter :: WHERRY_ERROR_MPI = 6      !< MPI reported an error
  integer, parameter :: WHERRY_ERROR_LOST = 7     !< a rank that the call waits for has died

  !> The largest numbers of dimensions of an array, and of a halo exchange.
  integer, parameter :: WHERRY_MAX_DIMENSIONS = 7, WHERRY_MAX_HALO_DIMENSIONS = 4

  ! Element types.
  integer(c_int32_t), parameter :: WHERRY_BOOL = int(z'01000001', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_CHAR = int(z'02000001', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_INT8 = int(z'03000001', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_INT16 = int(z'03000002', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_INT32 = int(z'03000004', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_INT64 = int(z'03000008', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_FLOAT16 = int(z'05000002', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_FLOAT32 = int(z'05000004', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_FLOAT64 = int(z'05000008', c_int32_t)
  integer(c_int32_t), parameter :: WHERRY_COMPLEX64 = int(z'06000008', c_int32_t)  !< two 4-byte numbers
  integer(c_int32_t), parameter :: WHERRY_COMPLEX128 = int(z'06000010', c_int32_t) !< two 8-byte numbers
  integer(c_int32_t), parameter :: WHERRY_BFLOAT16 = int(z'07000002', c_int32_t)
  ! Where the elements of an array lie.
  integer, parameter :: WHERRY_HOST = 0   !< memory of this process, also that of wherry_allocate
  integer, parameter :: WHERRY_DEVICE = 2 !< memory of an accelerator

  ! The order in which ranks are placed in a grid.
  integer, parameter :: WHERRY_ORDER_ROWS = 0        !< the last dimension fastest, as MPI_Cart_create does
  integer, parameter :: WHERRY_ORDER_COLUMNS = 1     !< the first dimension fastest
  integer, parameter :: WHERRY_ORDER_NODE_BRICKS = 2 !< the ranks of a node form a compact brick

  ! Operations that combine an element with one that arrives for it.
  integer, parameter :: WHERRY_NO_OPERATION = 0 !< arriving elements are stored
  integer, parameter :: WHERRY_ADD = 1
  integer, parameter :: WHERRY_MULTIPLY = 2
  integer, parameter :: WHERRY_MINIMUM = 3 !< a NaN stays one, -0 is less than +0
  integer, parameter :: WHERRY_MAXIMUM = 4
  integer, parameter :: WHERRY_BIT_AND = 5
  integer, parameter :: WHERRY_BIT_OR = 6
  integer, parameter :: WHERRY_BIT_XOR = 7
  integer, parameter :: WHERRY_LOGICAL_AND = 8
  integer, parameter :: WHERRY_LOGICAL_OR = 9

  ! The directions of the neighbours from which a halo is filled.
  integer, parameter :: WHERRY_STENCIL_ALL = 0    !< faces, edges and corners
  integer, parameter :: WHERRY_STENCIL_FACES = 1  !< the 2 N neighbours across a face
  integer, parameter :: WHERRY_STENCIL_LISTED = 2 !< those of `directions`

  ! The stages in which a halo is filled.
  integer, parameter :: WHERRY_HALO_AUTOMATIC = 0
  integer, parameter :: WHERRY_HALO_DIRECT = 1       !< all directions at once
  integer, parameter :: WHERRY_HALO_WRAPPED_LAST = 2 !< neighbours at once; then what wraps around onto the same rank
  integer, parameter :: WHERRY_HALO_BY_DIMENSION = 3 !< one dimension after the other: fewer, larger messages

contains

  !> The type of raw bytes, which fits every type of the same size: storage_size(element) / 8 of them.
  pure function wherry_bytes(size) result(type)
    integer, intent(in) :: size
    integer(c_int32_t) :: type
    type = iand(int(size, c_int32_t), int(z'00ffffff', c_int32_t))
  end function

end module
