! What GPI-2 has beyond GASPI: GASPI_Ext.h.
module gaspi_ext
  use, intrinsic :: iso_c_binding
  use gaspi_types
  implicit none

  private :: c_gaspi_proc_ping

  interface
    function gaspi_initialized(initialized) result(res) bind(c, name="gaspi_initialized")
      import
      integer(gaspi_number_t) :: initialized
      integer(gaspi_return_t) :: res
    end function
    function gaspi_proc_local_rank(local_rank) result(res) bind(c, name="gaspi_proc_local_rank")
      import
      integer(gaspi_rank_t) :: local_rank
      integer(gaspi_return_t) :: res
    end function
    function gaspi_proc_local_num(local_num) result(res) bind(c, name="gaspi_proc_local_num")
      import
      integer(gaspi_rank_t) :: local_num
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_avail_local(avail_seg_id) result(res) bind(c, name="gaspi_segment_avail_local")
      import
      integer(gaspi_segment_id_t) :: avail_seg_id
      integer(gaspi_return_t) :: res
    end function
    function gaspi_segment_size(segment_id, rank, size) result(res) bind(c, name="gaspi_segment_size")
      import
      integer(gaspi_segment_id_t), value :: segment_id
      integer(gaspi_rank_t), value :: rank
      integer(gaspi_size_t) :: size
      integer(gaspi_return_t) :: res
    end function
    function gaspi_rw_list_elem_max(elem_max) result(res) bind(c, name="gaspi_rw_list_elem_max")
      import
      integer(gaspi_number_t) :: elem_max
      integer(gaspi_return_t) :: res
    end function
    function gaspi_machine_type(machine_type) result(res) bind(c, name="gaspi_machine_type")
      import
      character(c_char), dimension(*) :: machine_type
      integer(gaspi_return_t) :: res
    end function
    function gaspi_cpu_frequency(cpu_mhz) result(res) bind(c, name="gaspi_cpu_frequency")
      import
      real(gaspi_float) :: cpu_mhz
      integer(gaspi_return_t) :: res
    end function
    function gaspi_numa_socket(socket) result(res) bind(c, name="gaspi_numa_socket")
      import
      integer(c_signed_char) :: socket
      integer(gaspi_return_t) :: res
    end function
    function gaspi_set_socket_affinity(socket) result(res) bind(c, name="gaspi_set_socket_affinity")
      import
      integer(c_signed_char), value :: socket
      integer(gaspi_return_t) :: res
    end function
    function c_gaspi_proc_ping(rank, tout) result(res) bind(c, name="gaspi_proc_ping")
      import
      integer(gaspi_rank_t), value :: rank
      integer(c_long), value :: tout
      integer(gaspi_return_t) :: res
    end function
    subroutine gaspi_printf(fmt) bind(c, name="gaspi_printf")
      import
      character(c_char), dimension(*) :: fmt
    end subroutine
    subroutine gaspi_printf_to(rank, fmt) bind(c, name="gaspi_printf_to")
      import
      integer(gaspi_rank_t), value :: rank
      character(c_char), dimension(*) :: fmt
    end subroutine
    subroutine gaspi_print_affinity_mask() bind(c, name="gaspi_print_affinity_mask")
    end subroutine
    subroutine gaspi_delay() bind(c, name="gaspi_delay")
    end subroutine
    function gaspi_error_str(error_code) result(text) bind(c, name="gaspi_error_str")
      import
      integer(gaspi_return_t), value :: error_code
      type(c_ptr) :: text
    end function
  end interface

contains

  function gaspi_proc_ping(rank, tout) result(res)
    integer(gaspi_rank_t), value :: rank
    integer(gaspi_timeout_t), value :: tout
    integer(gaspi_return_t) :: res
    res = c_gaspi_proc_ping(rank, int(tout, c_long))
  end function

end module
