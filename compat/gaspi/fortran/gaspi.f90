! GASPI's procedures for Fortran: those of GASPI.h, with the same names and arguments, results of GASPI's error numbers. Lists and
! arrays are given as c_loc of them.
module gaspi
  use, intrinsic :: iso_c_binding
  use gaspi_types
  use gaspi_constants
  use gaspi_inquiries
  use gaspi_one_sided
  use gaspi_together
  implicit none
end module
