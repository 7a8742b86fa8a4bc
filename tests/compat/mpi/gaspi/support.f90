! What the GASPI programs in Fortran share: they end at the first thing that is not as it should be.
module gaspi_support
  use gaspi_types
  use gaspi_constants
  implicit none
contains
  subroutine ok(res, what)
    integer(gaspi_return_t), intent(in) :: res
    character(*), intent(in) :: what
    call gives(GASPI_SUCCESS, res, what)
  end subroutine

  subroutine gives(expected, res, what)
    integer(gaspi_return_t), intent(in) :: expected, res
    character(*), intent(in) :: what
    if (res == expected) return
    write (*, *) what, ' returned ', res, ', expected ', expected
    call exit(1)
  end subroutine

  subroutine require(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (*, *) 'not so: ', what
    call exit(1)
  end subroutine
end module
