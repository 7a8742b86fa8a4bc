! Halo exchanges of arrays and slices of every kind.
program kinds
  use test_support
  use wherry_c_long_double
  use, intrinsic :: iso_c_binding, only: c_char, c_long_double
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  type(wherry_process_grid) :: ring
  call begin()
  call wherry_process_grid_create(comm, 2, ring, wherry_process_grid_options(periodic=[.false., .true.], extents=[1, 0]))
  call of_int8()
  call of_int16()
  call of_int32()
  call of_int64()
  call of_real32()
  call of_real64()
  call of_complex64()
  call of_complex128()
  call of_logical8()
  call of_logical16()
  call of_logical32()
  call of_logical64()
  call of_long_double()
  call of_text()
  call wherry_process_grid_free(ring)
  call finish('kinds')
contains
  function text(number) result(letters)
    integer, intent(in) :: number
    character(3) :: letters
    write (letters, '(i3.3)') number
  end function
#define NAME of_int8
#define DECLARED integer(int8)
#define VALUE(n) int(mod(n, 120), int8)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_int16
#define DECLARED integer(int16)
#define VALUE(n) int(n, int16)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_int32
#define DECLARED integer(int32)
#define VALUE(n) int(n, int32)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_int64
#define DECLARED integer(int64)
#define VALUE(n) int(n, int64)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_real32
#define DECLARED real(real32)
#define VALUE(n) real(n, real32)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_real64
#define DECLARED real(real64)
#define VALUE(n) real(n, real64)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_complex64
#define DECLARED complex(real32)
#define VALUE(n) cmplx(n, -(n), real32)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_complex128
#define DECLARED complex(real64)
#define VALUE(n) cmplx(n, -(n), real64)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_logical8
#define DECLARED logical(int8)
#define VALUE(n) logical(mod(n, 3) == 0, int8)
#define EQUAL .eqv.
#include "kinds.inc"
#define NAME of_logical16
#define DECLARED logical(int16)
#define VALUE(n) logical(mod(n, 3) == 0, int16)
#define EQUAL .eqv.
#include "kinds.inc"
#define NAME of_logical32
#define DECLARED logical(int32)
#define VALUE(n) logical(mod(n, 3) == 0, int32)
#define EQUAL .eqv.
#include "kinds.inc"
#define NAME of_logical64
#define DECLARED logical(int64)
#define VALUE(n) logical(mod(n, 3) == 0, int64)
#define EQUAL .eqv.
#include "kinds.inc"
#define NAME of_long_double
#define DECLARED real(c_long_double)
#define VALUE(n) real(n, c_long_double)
#define EQUAL ==
#include "kinds.inc"
#define NAME of_text
#define DECLARED character(kind=c_char, len=3)
#define VALUE(n) text(n)
#define EQUAL ==
#include "kinds.inc"
end program
