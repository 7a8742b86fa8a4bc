! Sparse exchanges: what each rank sends to each other one, found again there; plans and answers; what is refused.
program sparse
  use test_support
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: number
  character(WHERRY_MAX_NAME), allocatable :: names(:)
  call begin()
  names = wherry_sparse_algorithms()
  call require(size(names) > 1, 'there are algorithms')
  do number = 1, 20
    call random_case()
  end do
  call of_parcels()
  call of_derived_types()
  call wrong_arguments()
  call finish('sparse')
contains
  ! The number of elements that go from one rank to another, the same on all ranks.
  integer function sent(from, to, salt)
    integer, intent(in) :: from, to, salt
    sent = modulo(from * 7 + to * 5 + salt, 6) - 2
    if (sent < 0) sent = 0
  end function
  subroutine random_case()
    integer :: salt, to, from, i, n, k
    integer, allocatable :: destinations(:), sources(:)
    integer(int64), allocatable, target :: values(:), back(:), arrived_here(:)
    integer(int64), allocatable :: offsets(:)
    integer(int64), pointer :: all_of_them(:), some(:)
    type(wherry_arrivals) :: arrived
    type(wherry_arriving) :: under_way
    type(wherry_sparse_options) :: options
    type(wherry_sparse_plan) :: plan
    type(wherry_exchange) :: exchange, answer
    type(wherry_view) :: view
    character(:), allocatable :: name
    logical :: done
    salt = pick(0, 1000)
    ! In turn to each rank, so that elements for one rank lie apart.
    allocate(destinations(0), values(0))
    do i = 1, 3
      do to = ranks - 1, 0, -1
        if (sent(rank, to, salt) >= i) then
          destinations = [destinations, to]
          values = [values, int(1000 * rank + 10 * to + i, int64)]
        end if
      end do
    end do
    if (pick(0, 1) == 1) options%algorithm = names(pick(1, size(names)))
    if (pick(0, 1) == 1) then
      call wherry_send_to(comm, destinations, wherry_view(values), arrived, options)
    else
      call wherry_send_to_start(comm, destinations, wherry_view(values), under_way, options)
      call wherry_arriving_algorithm(under_way, name)
      call require(len(name) > 0, 'the name of the algorithm')
      done = .false.
      do while (.not. done)
        call wherry_arriving_test(under_way, done)
      end do
      call wherry_arriving_wait(under_way, arrived)
    end if
    call wherry_arrivals_all(arrived, view)
    call wherry_associate(view, all_of_them)
    call wherry_arrivals_sources(arrived, sources)
    call wherry_arrivals_offsets(arrived, offsets)
    n = 0
    k = 0
    do from = 0, ranks - 1
      if (sent(from, rank, salt) == 0) cycle
      k = k + 1
      call require(sources(k) == from .and. offsets(k) == n + 1, 'the sources and their first elements')
      call wherry_arrivals_from(arrived, from, view)
      call wherry_associate(view, some)
      call require(size(some) == sent(from, rank, salt), 'as many elements of one rank')
      do i = 1, sent(from, rank, salt)
        n = n + 1
        call require(all_of_them(n) == 1000 * from + 10 * rank + i .and. some(i) == all_of_them(n), 'the elements')
        call wherry_arrivals_source_of(arrived, n, to)
        call require(to == from, 'the source of an element')
      end do
    end do
    call require(size(all_of_them) == n .and. size(sources) == k .and. offsets(k + 1) == n + 1, 'no other elements')

    ! The same again by a plan, and the answers to it.
    call wherry_sparse_plan_create(comm, destinations, plan)
    call wherry_sparse_plan_arriving(plan, i)
    call wherry_sparse_plan_sources(plan, sources)
    call wherry_sparse_plan_offsets(plan, offsets)
    call require(i == n .and. size(sources) == k .and. offsets(k + 1) == n + 1, 'the plan')
    allocate(arrived_here(n), back(size(values)))
    call wherry_sparse_plan_exchange(plan, wherry_view(values), wherry_view(arrived_here), exchange)
    call wherry_sparse_plan_answer(plan, wherry_view(arrived_here), wherry_view(back), answer)
    call wherry_exchange_run(exchange)
    call require(all(arrived_here == all_of_them), 'elements by a plan')
    arrived_here = arrived_here + 500000
    call wherry_exchange_run(answer)
    call require(all(back == values + 500000), 'answers')
  end subroutine

  subroutine of_parcels()
    type(wherry_parcel) :: parcels(2)
    type(wherry_arrivals) :: arrived
    type(wherry_arriving) :: under_way
    type(wherry_sparse_options) :: options
    type(wherry_view) :: view
    real(real64), target :: u(5)
    real(real64), pointer :: came(:)
    u = [1, 2, 3, 4, 5] + 10 * rank
    parcels(1) = wherry_parcel(modulo(rank + 1, ranks), wherry_view(u(4:5)))
    parcels(2) = wherry_parcel(modulo(rank + 1, ranks), wherry_view(u(1:3)))
    options%receive_from = [modulo(rank - 1, ranks)]
    call wherry_sparse_exchange(comm, parcels, WHERRY_FLOAT64, arrived, options=options)
    call wherry_arrivals_all(arrived, view)
    call wherry_associate(view, came)
    call require(all(nint(came) == [4, 5, 1, 2, 3] + 10 * modulo(rank - 1, ranks)), 'two parcels')
    call wherry_sparse_exchange_start(comm, parcels(:0), WHERRY_FLOAT64, under_way)
    call wherry_arriving_wait(under_way, arrived)
    call wherry_arrivals_all(arrived, view)
    call wherry_associate(view, came)
    call require(size(came) == 0, 'no parcels')
  end subroutine

  subroutine of_derived_types()
    type, bind(c) :: particle
      real(c_double) :: x(3)
      integer(c_int) :: id
    end type
    type(particle), target :: p(3)
    type(particle), pointer :: came(:)
    type(wherry_arrivals) :: arrived
    type(wherry_view) :: view
    p%id = [1, 2, 3] + 10 * rank
    p(2)%x = rank
    call wherry_send_to(comm, modulo([rank, rank + 1, rank], ranks), &
      wherry_view(c_loc(p(1)), wherry_bytes(storage_size(p) / 8), shape(p)), arrived)
    call wherry_arrivals_from(arrived, modulo(rank - 1, ranks), view)
    call c_f_pointer(view%c%data, came, [view%c%extents(1)])
    if (ranks > 1) call require(size(came) == 1 .and. came(1)%id == 2 + 10 * modulo(rank - 1, ranks) .and. &
      nint(came(1)%x(3)) == modulo(rank - 1, ranks), 'a structure')
  end subroutine

  subroutine wrong_arguments()
    type(wherry_arrivals) :: arrived
    type(wherry_arriving) :: under_way
    type(wherry_view) :: view
    integer(int64), target :: u(2)
    integer(int64), target :: cube(2, 2, 2)
    integer(int64), pointer :: a(:), b(:,:), d(:,:,:)
    real(real64), pointer :: c(:)
    integer :: ierror
    character(300) :: text
    u = 0
    cube = 0
    call wherry_send_to(comm, [0, merge(ranks, 0, rank == ranks - 1)], wherry_view(u), arrived, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'rank')
    call wherry_send_to(comm, merge([0, 0], [0, 0], rank == ranks - 1), wherry_view(u(:merge(1, 2, rank == ranks - 1))), &
      arrived, ierror=ierror, errmsg=text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, '''destinations'' has not as many values')
    call wherry_arrivals_all(arrived, view, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'NULL')
    call wherry_arriving_wait(under_way, arrived, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'NULL')
    call wherry_associate(wherry_view(u), b, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'the view has 1 dimensions, but the pointer has 2')
    call wherry_associate(wherry_view(u), c, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'another type')
    call wherry_associate(wherry_view(u(2:1:-1)), a, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'Fortran''s order')
    view = wherry_view(cube)
    view%c%strides(2) = 0
    call wherry_associate(view, d, ierror, text)
    call fails(ierror, text, WHERRY_ERROR_ARGUMENT, 'Fortran''s order')
    call wherry_associate(wherry_view(u, [7]), a)
    call require(lbound(a, 1) == 7 .and. size(a) == 2, 'lower bounds of a view')
  end subroutine
end program
