! The kinds of GASPI's numbers, by the names that GPI-2's Fortran modules have. Fortran has no unsigned numbers: ranks beyond
! 32767 and ids beyond 127 come out negative.
module gaspi_types
  use, intrinsic :: iso_c_binding
  implicit none

  integer, parameter :: gaspi_int = c_int
  integer, parameter :: gaspi_char = c_char
  integer, parameter :: gaspi_short = c_short
  integer, parameter :: gaspi_long = c_long
  integer, parameter :: gaspi_float = c_float
  integer, parameter :: gaspi_double = c_double
  integer, parameter :: gaspi_return_t = c_int
  integer, parameter :: gaspi_timeout_t = c_int
  integer, parameter :: gaspi_rank_t = c_short
  integer, parameter :: gaspi_group_t = c_signed_char
  integer, parameter :: gaspi_number_t = c_int
  integer, parameter :: gaspi_queue_id_t = c_signed_char
  integer, parameter :: gaspi_size_t = c_long
  integer, parameter :: gaspi_alloc_t = c_long
  integer, parameter :: gaspi_segment_id_t = c_signed_char
  integer, parameter :: gaspi_offset_t = c_long
  integer, parameter :: gaspi_atomic_value_t = c_long
  integer, parameter :: gaspi_time_t = c_float
  integer, parameter :: gaspi_notification_id_t = c_int
  integer, parameter :: gaspi_notification_t = c_int
  integer, parameter :: gaspi_statistic_counter_t = c_int
  integer, parameter :: gaspi_cycles_t = c_long
  integer, parameter :: gaspi_memory_description_t = c_int
  integer(gaspi_group_t), parameter :: GASPI_GROUP_ALL = 0
end module
