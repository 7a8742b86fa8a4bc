! What views say of arrays, slices, members of derived types, arrays without elements, and memory named by an address.
! It is compiled at -O3: a copy of an array would have another address.
program views
  use test_support
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  type :: particle
    real(real64) :: x(3)
    integer(int32) :: charge
    real(real32) :: mass
  end type
  type, bind(c) :: uneven
    real(c_float) :: x
    integer(c_int8_t) :: letter(8)
  end type
  real(real64), target :: u(8, 6, 4)
  real(real64), target :: many(2, 3, 2, 2, 3, 2, 2)
  type(particle), target :: p(5)
  type(uneven), target :: odd(3)
  real(real64), allocatable, target :: none(:,:), bounds(:,:)
  complex(real64), target :: z(4)
  integer(int32), pointer :: charge(:)
  real(real32), pointer :: mass(:)
  type(wherry_view) :: v
  call begin()
  call of_slices(u)

  v = wherry_view(many)
  call is(v, c_loc(many), [2, 3, 2, 2, 3, 2, 2], [1, 2, 6, 12, 24, 72, 144], 'seven dimensions')
  v = wherry_view(many(:, 3:1:-1, :, 2, :, 1:2:1, 2))
  call is(v, c_loc(many(1, 3, 1, 2, 1, 1, 2)), [2, 3, 2, 3, 2], [1, -2, 6, 24, 72], 'five of seven')

  charge => p%charge
  v = wherry_view(charge)
  call is(v, c_loc(p(1)%charge), [5], [8], 'a member')
  mass => p(5:1:-2)%mass
  v = wherry_view(mass)
  call is(v, c_loc(p(5)%mass), [3], [-16], 'a member, backwards')
  v = wherry_view(c_loc(p(1)), wherry_bytes(storage_size(p) / 8), shape(p))
  call is(v, c_loc(p(1)), [5], [1], 'elements of a derived type')
  v = wherry_view(c_loc(p(2)), wherry_bytes(32), [2], strides=[2])
  call is(v, c_loc(p(2)), [2], [2], 'every other one')
  call require(v%c%type == 32, 'the type of 32 bytes')
  v = wherry_view(c_loc(u), WHERRY_FLOAT64, int([2, 6, 4], int64), strides=int([4, 8, 48], int64), lower_bounds=[0, 0, 0], &
    components=1, space=WHERRY_DEVICE)
  call is(v, c_loc(u), [2, 6, 4], [4, 8, 48], 'by an address')
  call require(v%c%space == WHERRY_DEVICE .and. all(v%lower(:3) == 0), 'the space and the lower bounds')

  nullify(charge)
  v = wherry_view(charge)
  call require(.not. c_associated(v%c%data) .and. v%c%extents(1) == 0, 'a pointer that points to nothing')
  allocate(bounds(-3:4, 7:9))
  v = wherry_view(bounds)
  call require(all(v%lower(:2) == [-3, 7]), 'the lower bounds of the array')
  v = wherry_view(bounds(-3:4:2, :))
  call require(all(v%lower(:2) == 1), 'the lower bounds of a slice')
  allocate(none(0, 5))
  v = wherry_view(none)
  call require(.not. c_associated(v%c%data) .and. all(v%c%extents(:2) == [0, 5]), 'no elements')
  v = wherry_view(u(3:2, :, 1))
  call require(.not. c_associated(v%c%data) .and. all(v%c%extents(:2) == [0, 6]), 'a slice without elements')
  v = wherry_view(u(3:3, 2:2, 4:4))
  call require(same(v%c%data, c_loc(u(3, 2, 4))) .and. all(v%c%strides(:3) == 1), 'one element')

  v = wherry_view(z)
  call require(v%c%type == WHERRY_COMPLEX128 .and. v%c%space == WHERRY_HOST, 'the type and the space')
  call slices_are_exchanged_in_place()
  call uneven_distances_are_refused()
  call finish('views')
contains
  subroutine of_slices(a)
    real(real64), target, intent(inout) :: a(:,:,:)
    type(wherry_view) :: s
    s = wherry_view(a)
    call is(s, c_loc(u), [8, 6, 4], [1, 8, 48], 'the whole array')
    s = wherry_view(a(2:8:2, :, 3:1:-1), [0, 5, -1])
    call is(s, c_loc(u(2, 1, 3)), [4, 6, 3], [2, 8, -48], 'a slice')
    call require(all(s%lower(:3) == [0, 5, -1]), 'lower bounds')
    s = wherry_view(a(4, :, :))
    call is(s, c_loc(u(4, 1, 1)), [6, 4], [8, 48], 'a plane')
    s = wherry_view(a(4, 6:1:-5, 2))
    call is(s, c_loc(u(4, 6, 2)), [2], [-40], 'a line')
    s = wherry_view(a(1:8:3, 2:2, :))
    call require(all(s%c%extents(:3) == [3, 1, 4]) .and. all(s%c%strides([1, 3]) == [3, 48]), 'an extent of 1')
  end subroutine

  subroutine is(view, address, extents, strides, what)
    type(wherry_view), intent(in) :: view
    type(c_ptr), intent(in) :: address
    integer, intent(in) :: extents(:), strides(:)
    character(*), intent(in) :: what
    integer :: n
    n = size(extents)
    call require(view%c%dimensions == n, what // ': dimensions')
    call require(same(view%c%data, address), what // ': address')
    call require(all(view%c%extents(:n) == extents), what // ': extents')
    call require(all(view%c%strides(:n) == strides), what // ': strides')
  end subroutine
  logical function same(one, two)
    type(c_ptr), intent(in) :: one, two
    same = c_associated(one, two)
  end function

  ! The halo arrives in the slice itself, between a start and a wait that do not name the array.
  subroutine slices_are_exchanged_in_place()
    type(wherry_process_grid) :: ring
    type(wherry_exchange) :: fill
    real(real64), target, asynchronous :: a(12, 3)
    call wherry_process_grid_create(comm, 1, ring, wherry_process_grid_options(periodic=[.true.]))
    a = rank
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(a(1:12:2, 2)), 1), fill)
    call wherry_exchange_start(fill)
    call wherry_exchange_wait(fill)
    call require(a(1, 2) == modulo(rank - 1, ranks) .and. a(11, 2) == modulo(rank + 1, ranks), 'halos of a slice')
    a = rank
    call wherry_exchange_start(fill, wherry_view(a(2:12:2, 3)))
    call wherry_exchange_wait(fill)
    call require(a(2, 3) == modulo(rank - 1, ranks) .and. a(12, 3) == modulo(rank + 1, ranks), 'halos of another slice')
    call require(all(a(:, 2) == rank), 'the first slice stays as it is')
  end subroutine

  subroutine uneven_distances_are_refused()
    type(wherry_process_grid) :: ring
    type(wherry_exchange) :: fill
    real(c_float), pointer :: x(:)
    character(200) :: text
    integer :: ierror
    odd%x = 0
    call wherry_process_grid_create(comm, 1, ring)
    x => odd%x
    v = wherry_view(x)
    call require(all(v%c%strides(:1) == 3), 'every third number')
    v%uneven = .true. ! as of a member of 8 bytes in a type of 12
    call wherry_halo_exchange_create(ring, wherry_field(v, 1), fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'field 1 is wrong: its elements lie at distances')
  end subroutine
end program
