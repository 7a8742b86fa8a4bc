! What is refused, on which ranks, in which words.
program errors
  use test_support
  use, intrinsic :: iso_fortran_env, only: real64, real32
  implicit none
  real(real64), target :: u(7), two(4, 4)
  real(real32), target :: w(7)
  type(wherry_process_grid) :: line, freed
  type(wherry_exchange) :: fill
  type(wherry_communicator) :: nothing
  type(wherry_box) :: box
  type(wherry_view) :: view
  type(wherry_field) :: field
  type(wherry_halo_options) :: options
  integer, allocatable :: at(:)
  integer :: ierror, number
  character(300) :: text
  call begin()
  call require(wherry_last_error() == '' .and. wherry_error_rank() == -1 .and. size(wherry_error_peers()) == 0, 'no error yet')
  call wherry_process_grid_create(comm, 1, line)

  ! Variables without an object, or whose object was freed.
  call wherry_exchange_start(fill, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'wherry_exchange_start: ''exchange'' is NULL')
  call wherry_process_grid_create(nothing, 1, freed, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''comm'' is NULL')
  call require(.not. wherry_exists(freed), 'there is no object after an error')
  call wherry_process_grid_free(freed, ierror)
  call require(ierror == WHERRY_SUCCESS, 'nothing is freed')
  call wherry_process_grid_create(comm, 1, freed)
  call wherry_process_grid_free(freed)
  call wherry_process_grid_dimensions(freed, number, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''grid'' is NULL')
  call wherry_process_grid_create(comm, 1, freed)
  freed%c_handle = line%c_handle
  call wherry_process_grid_free(freed)
  call wherry_halo_exchange_create(line, wherry_field(wherry_view(u), 1), fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''grid'' is no wherry_process_grid: it was freed')
  call wherry_process_grid_free(line, ierror)
  call require(ierror == WHERRY_ERROR_ARGUMENT, 'freed twice')
  call wherry_process_grid_create(comm, 1, line)

  ! One rank's wrong arguments are an error on all ranks.
  view = wherry_view(u)
  field = wherry_field(view, 1, 'pressure')
  if (rank == ranks - 1) field%array%c%dimensions = 9
  call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'has 9 dimensions')
  call require(wherry_error_rank() >= 0, 'the rank that found it')
  field = wherry_field(view, 1, 'pressure')
  if (rank == ranks - 1) field%upper(1) = 9
  call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'pressure')
  field = wherry_field(wherry_view(u, [0]), 1)
  if (rank == ranks - 1) field = wherry_field(wherry_view(u, [0, 1]), 1)
  call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'the number of its lower bounds or strides is not the number of its dimensions')
  field = wherry_field(wherry_view(u), 1)
  if (rank == ranks - 1) field = wherry_field(wherry_view(u), [1, 1])
  call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'field 1 is wrong')
  field = wherry_field(wherry_view(u), merge(1, -1, rank < ranks - 1))
  call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'field ''1''')
  field = wherry_field(wherry_view(u), 1)
  options%axes = [1]
  if (rank == ranks - 1) options%axes = [1, 2]
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'options%axes has not as many values')
  deallocate(options%axes)
  options%stencil = WHERRY_STENCIL_LISTED
  options%directions = reshape([1], [1, 1])
  if (rank == ranks - 1) options%directions = reshape([1, 0], [2, 1])
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'a column of options%directions')
  options%directions = reshape([7], [1, 1])
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'has the number 7, expected -1, 0 or 1')
  options = wherry_halo_options(carry=wherry_carry_options(transport='pigeon'))
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'pigeon')
  options = wherry_halo_options(update=wherry_reduction(operation=99))
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'has the operation 99')
  options = wherry_halo_options(stencil=9)
  call wherry_halo_exchange_create(line, field, fill, options, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''options.stencil'' is 9')
  call wherry_halo_exchange_create(line, [wherry_field ::], fill, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''field_count'' is 0')
  call wherry_process_grid_create(comm, 2, freed, &
    wherry_process_grid_options(periodic=[(.true., number = 1, merge(2, 1, rank < ranks - 1))]), ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'options%periodic has not as many values')
  ! What was refused is no matter of the next call.
  call wherry_process_grid_create(comm, 2, freed)
  call wherry_process_grid_create(nothing, 2, freed, wherry_process_grid_options(extents=[1]), ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''comm'' is NULL')
  call wherry_process_grid_create(comm, 2, freed)

  if (ranks > 1) then
    if (rank == 1) then
      field = wherry_field(wherry_view(w), 1)
    else
      field = wherry_field(wherry_view(u), 1)
    end if
    call wherry_halo_exchange_create(line, field, fill, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_MISMATCH, 'rank')
    call require(.not. wherry_exists(fill), 'there is no exchange after a mismatch')
  end if

  ! Wrong calls are errors of their rank.
  call wherry_halo_exchange_create(line, wherry_field(wherry_view(u), 1), fill)
  call wherry_exchange_start(fill)
  call wherry_exchange_start(fill, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_STATE, '''start'' was called again')
  call wherry_exchange_wait(fill)
  call wherry_exchange_start(fill, [wherry_view(u), wherry_view(u)], ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'there are 2 arrays, but the exchange was made with 1')
  call wherry_exchange_start(fill, wherry_view(u, [1, 2]), ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'an array is wrong')
  call wherry_exchange_start(fill)
  call wherry_exchange_abandon(fill)
  call wherry_exchange_start(fill, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_STATE, 'abandon')
  call wherry_exchange_free(fill)

  call wherry_owned_box(line, [10, 10, 10, 10, 10], box, ierror=ierror, errmsg=text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''dimensions'' is 5, expected 1 to 4')
  call wherry_owned_box(line, [10], box, [1, 2], ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''axes'' has not as many values')
  call wherry_owner_of(line, [1, 1], [10], number, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''cell'' has not')
  call wherry_process_grid_coordinates(line, 99, at, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''rank'' is 99')
  call wherry_process_grid_rank_at(line, [0, 0], number, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''coordinates''')
  call wherry_communicator_create(MPI_COMM_NULL, nothing, ierror, text)
  call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'MPI_COMM_NULL')

  ! A short text is cut off, a long one filled with blanks, and both stay as they are without an error.
  text = 'as it was'
  call wherry_communicator_rank(comm, ierror=ierror, errmsg=text)
  call require(ierror == WHERRY_SUCCESS .and. text == 'as it was', 'a text without an error')
  call wherry_exchange_wait(fill, ierror, text(:6))
  call require(text(:6) == 'wherry', 'a short text')
  two = 0
  call wherry_process_grid_free(freed)
  call wherry_process_grid_free(line)
  call finish('errors')
end program
