! A ring of notified writes, reads, atomic operations, limits of time; what is refused.
program segments
  use test_support
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  implicit none
  type(wherry_segment) :: ring, own
  type(wherry_segment_queue) :: queue
  real(real64), pointer :: part(:), theirs(:)
  real(real64), target :: mine(10), got(10), memory(20)
  type(c_ptr) :: address
  integer(int64) :: bytes, old
  integer(int32) :: value
  integer :: next, before, id, ierror, ierr
  logical :: done
  character(:), allocatable :: text
  character(300) :: errmsg
  call begin()
  next = modulo(rank + 1, ranks)
  before = modulo(rank - 1, ranks)
  call wherry_segment_create(comm, 160_int64, ring, wherry_segment_options(notifications=16, name='ring'))
  call wherry_segment_memory(ring, address, bytes)
  call require(bytes == 160, 'the bytes of this part')
  call c_f_pointer(address, part, [20])
  call require(all(part == 0), 'zeros')
  call wherry_segment_wait(ring, 3, value, seconds=0d0)
  call require(value == 0, 'nothing has come')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  mine = rank + 1
  call wherry_segment_write_notify(ring, next, 80_int64, wherry_view(mine), 3, 7)
  call wherry_segment_wait_some(ring, 0, 16, id)
  call require(id == 3, 'the notification')
  call wherry_segment_value(ring, 3, value)
  call require(value == 7, 'its value')
  call wherry_segment_wait(ring, 3, value)
  call require(value == 7 .and. all(part(11:20) == before + 1) .and. all(part(:10) == 0), 'the data before it')
  call wherry_segment_reset(ring, 3, value)
  call require(value == 0, 'it was taken')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  ! Reads, by a queue and with a notification; a plain write and a notification.
  call wherry_segment_queue_create(queue)
  call wherry_segment_read(ring, next, 80_int64, wherry_view(got), queue)
  call wherry_segment_queue_wait(queue, done)
  call require(done .and. all(got == rank + 1), 'what the next rank got from here')
  got = 0
  call wherry_segment_read_notify(ring, next, 80_int64, wherry_view(got(1:2)), 4, 1)
  call wherry_segment_wait(ring, 4, value)
  call require(value == 1 .and. all(got(1:2) == rank + 1) .and. all(got(3:) == 0), 'a read with a notification')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call wherry_segment_write(ring, before, 0_int64, wherry_view(mine(1:1)))
  call wherry_segment_notify(ring, before, 5, 9)
  call wherry_segment_flush(ring, done)
  call wherry_segment_wait(ring, 5, value, seconds=30d0)
  call require(value == 9 .and. done .and. nint(part(1)) == next + 1, 'a write, and then a notification')
  call wherry_segment_memory_of(ring, next, address, bytes)
  call require(bytes == 160, 'the bytes of another part')
  if (c_associated(address)) then
    call c_f_pointer(address, theirs, [20])
    call require(nint(theirs(20)) == rank + 1, 'another part in place')
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  ! A counter on rank 0.
  if (rank == 0) part(2) = 0
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call wherry_segment_fetch_add(ring, 0, 8_int64, 5_int64, old)
  call require(old >= 0 .and. old <= 5 * ranks - 5 .and. mod(old, 5_int64) == 0, 'the counter')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call wherry_segment_compare_swap(ring, 0, 8_int64, -1_int64, 3_int64, old)
  call require(old == 5 * ranks, 'all have added')
  call wherry_segment_explain(ring, text)
  call require(len(text) > 0, 'how it reaches the others')

  ! An array of ours, and what is refused.
  memory = -1
  call wherry_segment_create_in(comm, wherry_view(memory), own)
  call wherry_segment_write_notify(own, next, 0_int64, wherry_view(mine), 0, 1)
  call wherry_segment_wait(own, 0, value)
  call require(all(memory(:10) == before + 1) .and. all(memory(11:) == -1), 'an array of the program')
  call wherry_segment_write(own, next, 152_int64, wherry_view(mine), ierror=ierror, errmsg=errmsg)
  call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '152')
  call wherry_segment_write(own, next, 0_int64, wherry_view(mine(1:10:2)), ierror=ierror, errmsg=errmsg)
  call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '-1')
  call wherry_segment_notify(own, ranks, 0, 1, ierror, errmsg)
  call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'rank')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call wherry_segment_free(own)
  call wherry_segment_free(ring)
  call wherry_segment_queue_free(queue)
  call finish('segments')
end program
