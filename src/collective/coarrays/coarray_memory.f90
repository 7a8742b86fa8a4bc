! One Fortran coarray of bytes and one of counters, of all images, for Wherry's mailboxes (CRESTA: PGAS). Ranks are images
! less one. The names are those of ../coarray_library.hpp.
module wherry_coarray_memory
  use, intrinsic :: iso_c_binding, only: c_int, c_int8_t, c_int64_t, c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind
  implicit none
  private

  integer(c_int8_t), allocatable, target, save :: bytes(:)[:]
  integer(atomic_int_kind), allocatable, target, save :: counters(:)[:]

contains

  ! All images: nonzero where there is no room, or a counter is no C int.
  function make(bytes_there_are, counters_there_are) bind(c, name="wherry_coarray_make") result(status)
    integer(c_int64_t), value :: bytes_there_are, counters_there_are
    integer(c_int) :: status
    status = 1
    if (atomic_int_kind /= c_int) return
    allocate(bytes(0:bytes_there_are - 1)[*], stat=status)
    if (status /= 0) return
    allocate(counters(0:counters_there_are - 1)[*], stat=status)
    if (status /= 0) return
    counters = 0
    sync all
  end function

  ! It is there when it returns.
  subroutine put(rank, place, from, how_many) bind(c, name="wherry_coarray_put")
    integer(c_int), value :: rank
    integer(c_int64_t), value :: place, how_many
    integer(c_int8_t), intent(in) :: from(how_many)
    bytes(place:place + how_many - 1)[rank + 1] = from
  end subroutine

  ! After what was put there before.
  subroutine count(rank, place, value_of_it) bind(c, name="wherry_coarray_count")
    integer(c_int), value :: rank, value_of_it
    integer(c_int64_t), value :: place
    call atomic_define(counters(place)[rank + 1], value_of_it)
  end subroutine

  function own_bytes() bind(c, name="wherry_coarray_bytes") result(place)
    type(c_ptr) :: place
    place = c_loc(bytes)
  end function

  function own_counters() bind(c, name="wherry_coarray_counters") result(place)
    type(c_ptr) :: place
    place = c_loc(counters)
  end function
end module
