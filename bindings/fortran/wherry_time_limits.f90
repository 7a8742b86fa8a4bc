!> What `seconds` and `done` of calls that wait become in C.
module wherry_time_limits
  use, intrinsic :: iso_c_binding, only: c_double
  use, intrinsic :: ieee_arithmetic, only: ieee_positive_inf, ieee_value
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: seconds_for_c

contains

  !> Without a number of seconds there is no limit, but WHERRY_TIMEOUT ends a wait by WHERRY_ERROR_TIMEOUT.
  function seconds_for_c(seconds) result(limit)
    real(real64), intent(in), optional :: seconds
    real(c_double) :: limit
    limit = ieee_value(1.0_c_double, ieee_positive_inf)
    if (present(seconds)) limit = seconds
  end function

end module
