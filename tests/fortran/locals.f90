! Arrays of a procedure's own: the compiler sees all statements that name them, and may keep their elements in registers
! unless it knows that an exchange writes them. It is compiled at -O3, since a compiler that does not optimise keeps none.
module locals_callback
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int, c_ptr, c_size_t
  implicit none
contains
  function count_and_add(into, from, count, context) bind(c) result(failure)
    type(c_ptr), value :: into, from, context
    integer(c_size_t), value :: count
    integer(c_int) :: failure
    real(c_double), pointer :: a(:), b(:)
    integer(c_int), pointer :: calls
    call c_f_pointer(into, a, [count])
    call c_f_pointer(from, b, [count])
    call c_f_pointer(context, calls)
    a = a + b
    calls = calls + 1
    failure = 0
  end function
end module
program locals
  use test_support
  use locals_callback
  use, intrinsic :: iso_c_binding, only: c_funloc, c_loc
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type(wherry_process_grid) :: ring
  call begin()
  call wherry_process_grid_create(comm, 1, ring, wherry_process_grid_options(periodic=[.true.]))
  call of_a_view()
  call of_an_address()
  call of_a_slice()
  call of_an_index_exchange()
  call of_a_segment()
  call of_a_context()
  call wherry_process_grid_free(ring)
  call finish('locals')
contains
  subroutine of_a_view()
    type(wherry_exchange) :: fill
    real(real64), target :: u(4)
    u = 1
    u(1) = -1
    u(4) = -1
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u), 1), fill)
    call wherry_exchange_run(fill)
    call require(nint(u(1)) == 1 .and. nint(u(4)) == 1, 'an array that a view was made of')
  end subroutine

  subroutine of_an_address()
    type(wherry_exchange) :: fill
    real(real64), target :: u(4)
    u = 1
    u(1) = -1
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(c_loc(u), WHERRY_FLOAT64, [4]), 1), fill)
    call wherry_exchange_start(fill)
    call wherry_exchange_wait(fill)
    call require(nint(u(1)) == 1, 'an array of which the address was given')
  end subroutine

  subroutine of_a_slice()
    type(wherry_exchange) :: fill
    real(real64), target :: u(2, 4)
    u = 1
    u(2, 4) = -1
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u(2, :)), 1), fill)
    call wherry_exchange_run(fill, [wherry_view(u(2, :))])
    call require(nint(u(2, 4)) == 1, 'a slice')
  end subroutine

  subroutine of_an_index_exchange()
    type(wherry_exchange) :: fill
    type(wherry_index_lists) :: lists
    integer, target :: x(2)
    call wherry_index_lists_create_from_ids(comm, [rank], [modulo(rank + 1, ranks)], lists)
    x = [rank, -1]
    call wherry_index_exchange_create(comm, lists, wherry_view(x), fill)
    call wherry_exchange_run(fill)
    call require(x(2) /= -1, 'an array of an index exchange')
  end subroutine

  subroutine of_a_segment()
    type(wherry_segment) :: shared
    type(wherry_segment_queue) :: queue
    real(real64), target :: got(2)
    logical :: done
    call wherry_segment_create(comm, 16_int64, shared)
    call wherry_segment_queue_create(queue)
    got = -1
    call wherry_segment_read(shared, modulo(rank + 1, ranks), 0_int64, wherry_view(got), queue)
    call wherry_segment_queue_wait(queue, done)
    call require(done .and. nint(got(1)) == 0, 'an array that a segment was read into')
  end subroutine

  subroutine of_a_context()
    type(wherry_exchange) :: add
    type(wherry_halo_options) :: options
    real(real64), target :: u(4)
    integer(c_int), target :: calls
    u = 1
    calls = 0
    options%reverse = .true.
    options%update = wherry_reduction(function=c_funloc(count_and_add), context=c_loc(calls), name='count_and_add', &
      type=WHERRY_FLOAT64)
    call wherry_halo_exchange_create(ring, wherry_field(wherry_view(u), 1), add, options)
    call wherry_exchange_run(add)
    call require(calls > 0 .and. nint(u(2)) == 2, 'what a context names')
  end subroutine
end program
