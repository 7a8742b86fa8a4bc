!> Statuses and texts of errors, and what becomes of a status that the caller does not ask for.
module wherry_errors
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, c_null_char, c_ptr
  use wherry_constants, only: WHERRY_SUCCESS
  use wherry_interface
  implicit none
  private
  public :: wherry_last_error, wherry_error_rank, wherry_error_peers, wherry_status_name, wherry_require, wherry_version
  public :: settle, stop_with, refuse, refuse_next, text_of, for_c, ranks_of

contains

  !> The text of the last error of this thread; empty if no call has failed.
  function wherry_last_error() result(text)
    character(:), allocatable :: text
    type(c_wherry_error), pointer :: error
    call c_f_pointer(c_last_error(), error)
    text = text_of(error%text)
  end function

  !> The rank that found the last error of this thread, counted from 0; -1 if there is none.
  function wherry_error_rank() result(rank)
    integer :: rank
    type(c_wherry_error), pointer :: error
    call c_f_pointer(c_last_error(), error)
    rank = int(error%rank)
  end function

  !> The other ranks involved in the last error of this thread.
  function wherry_error_peers() result(peers)
    integer, allocatable :: peers(:)
    type(c_wherry_error), pointer :: error
    call c_f_pointer(c_last_error(), error)
    call ranks_of(error%peers, error%peer_count, peers)
  end function

  !> The name of a status: 'success', 'argument', ...
  function wherry_status_name(status) result(text)
    integer, intent(in) :: status
    character(:), allocatable :: text
    text = text_of(c_status_name(int(status, c_int)))
  end function

  !> Ends the job if `status` is an error: prints the text of this thread's last error once and calls MPI_Abort.
  subroutine wherry_require(status)
    integer, intent(in) :: status
    call c_require(int(status, c_int))
  end subroutine

  !> The version of the library at run time.
  subroutine wherry_version(major, minor, patch)
    integer, intent(out) :: major, minor, patch
    integer(c_int) :: numbers(3)
    call c_version(numbers(1), numbers(2), numbers(3))
    major = int(numbers(1))
    minor = int(numbers(2))
    patch = int(numbers(3))
  end subroutine

  !> Hands the status of a call to its caller, who has asked for it by `ierror`; otherwise an error ends the job.
  subroutine settle(status, ierror, errmsg)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: ierror
    character(*), intent(inout), optional :: errmsg
    if (present(ierror)) ierror = int(status)
    if (status == WHERRY_SUCCESS) return
    if (present(errmsg)) errmsg = wherry_last_error()
    if (.not. present(ierror)) call c_require(status)
  end subroutine

  !> Ends the job with a text.
  subroutine stop_with(where, text)
    character(*), intent(in) :: where, text
    call c_require(refuse(where, text))
  end subroutine

  !> Makes a text the last error of this thread, and gives the status for it.
  function refuse(where, text) result(status)
    character(*), intent(in) :: where, text
    integer(c_int) :: status
    status = c_refuse(for_c(where), for_c(text))
  end function

  !> Lets the next call that takes options fail with a text, on all ranks alike if it is collective.
  subroutine refuse_next(text)
    character(*), intent(in) :: text
    call c_refuse_next(for_c(text))
  end subroutine

  !> A string of C's.
  function text_of(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i, length
    length = 0
    if (c_associated(address)) length = int(c_strlen(address))
    allocate(character(length) :: text)
    if (length == 0) return
    call c_f_pointer(address, letters, [length])
    do i = 1, length
      text(i:i) = letters(i)
    end do
  end function

  !> The letters of a text without the blanks at its end, and a null.
  pure function for_c(text) result(letters)
    character(*), intent(in) :: text
    character(kind=c_char) :: letters(len_trim(text) + 1)
    integer :: i
    do i = 1, len_trim(text)
      letters(i) = text(i:i)
    end do
    letters(len_trim(text) + 1) = c_null_char
  end function

  !> A copy of a list of C's.
  subroutine ranks_of(address, count, ranks)
    type(c_ptr), intent(in) :: address
    integer(c_int), intent(in) :: count
    integer, allocatable, intent(out) :: ranks(:)
    integer(c_int), pointer :: list(:)
    if (count <= 0 .or. .not. c_associated(address)) then
      allocate(ranks(0))
    else
      call c_f_pointer(address, list, [int(count)])
      ranks = int(list)
    end if
  end subroutine

end module
