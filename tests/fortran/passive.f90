! Passive messages: all ranks send to all, and what arrives says from whom and as which of its messages.
program passive
  use test_support
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  implicit none
  integer, parameter :: many = 30
  integer :: next(0:7) = 0, arrived = 0
  call begin()
  call of_order()
  call wrong_arguments()
  call finish('passive')
contains
  subroutine receive(messages, seconds)
    type(wherry_passive_messages), intent(in) :: messages
    real(real64), intent(in), optional :: seconds
    integer(int32), target, asynchronous :: got(4)
    integer(int64) :: bytes
    integer :: from
    got = -1
    call wherry_passive_messages_receive(messages, wherry_view(got), from, bytes, seconds)
    if (from < 0) return
    call require(got(1) == from, 'the sender is who it says')
    call require(got(2) == next(from), 'messages of a sender arrive in order')
    call require(bytes == 8 + 4 * modulo(got(2), 3), 'the size')
    next(from) = next(from) + 1
    arrived = arrived + 1
  end subroutine

  subroutine of_order()
    type(wherry_passive_messages) :: messages
    type(wherry_passive_options) :: options
    type(wherry_statistics) :: moved
    integer(int32), target, asynchronous :: job(4)
    character(:), allocatable :: text
    integer :: i, to
    logical :: done
    options%largest = 16
    options%name = 'jobs'
    call wherry_passive_messages_create(comm, messages, options)
    do i = 0, many - 1
      do to = 0, ranks - 1
        job = [rank, i, 0, 0]
        done = .false.
        do while (.not. done)
          call wherry_passive_messages_send(messages, to, wherry_view(job(:2 + modulo(i, 3))), done, 0.0_real64)
          call receive(messages, 0.0_real64)
        end do
        job = -7 ! the message has a copy
      end do
    end do
    do while (arrived < many * ranks)
      call receive(messages)
    end do
    call receive(messages, 0.0_real64)
    call require(arrived == many * ranks, 'all messages have come once')
    call wherry_passive_messages_statistics(messages, moved)
    call require(moved%exchanges == many * ranks, 'all messages are counted')
    call wherry_passive_messages_explain(messages, text)
    call require(index(text, 'jobs') > 0, 'the text has the name')
    call wherry_passive_messages_transport(messages, text)
    call require(text == 'two_sided', 'the transport')
  end subroutine

  subroutine wrong_arguments()
    type(wherry_passive_messages) :: messages
    type(wherry_passive_options) :: options
    integer(int32), target, asynchronous :: job(4)
    integer(int64) :: bytes
    integer :: ierror, from
    character(300) :: errmsg
    options%largest = merge(-1, 16, rank == ranks - 1)
    call wherry_passive_messages_create(comm, messages, options, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '-1')
    options%largest = 16
    call wherry_passive_messages_create(comm, messages, options)
    job = [1, 2, 3, 4]
    call wherry_passive_messages_send(messages, ranks, wherry_view(job), ierror=ierror, errmsg=errmsg)
    call require(ierror == WHERRY_ERROR_ARGUMENT, 'a rank that does not exist')
    call wherry_passive_messages_send(messages, rank, wherry_view(job(::2)), ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'do not lie side by side')
    call wherry_passive_messages_receive(messages, wherry_view(job(::2)), from, ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'do not lie side by side')
    call require(from == -1, 'nobody')
    ! A message that finds too little room stays.
    call wherry_passive_messages_send(messages, rank, wherry_view(job))
    call wherry_passive_messages_receive(messages, wherry_view(job(:1)), from, ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '16')
    job = 0
    call wherry_passive_messages_receive(messages, wherry_view(job), from, bytes)
    call require(from == rank .and. bytes == 16 .and. all(job == [1, 2, 3, 4]), 'the message to itself')
  end subroutine
end program
