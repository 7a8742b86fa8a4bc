! Halo exchanges in 1 to 4 dimensions, against the value that each cell must have.
program halos
  use test_support
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  real(real64), parameter :: untouched = -1
  integer :: number
  call begin()
  do number = 1, 40
    call random_case()
  end do
  call finish('halos')
contains
  subroutine random_case()
    integer :: n, d, width, cells(4), low(4), high(4)
    logical :: periodic(4), faces
    type(wherry_process_grid) :: grid
    type(wherry_box) :: mine
    type(wherry_exchange) :: fill
    type(wherry_halo_options) :: options
    type(wherry_field) :: field
    real(real64), allocatable, target :: u(:), v(:)
    logical :: done
    n = pick(1, 4)
    width = pick(0, 2)
    do d = 1, 4
      cells(d) = pick(2, 4) * ranks
      periodic(d) = pick(0, 1) == 1
    end do
    faces = pick(0, 1) == 1
    if (pick(0, 3) == 0 .and. width < 2) cells(1) = 1 ! most ranks own nothing
    call wherry_process_grid_create(comm, n, grid, wherry_process_grid_options(periodic=periodic(:n)))
    call wherry_owned_box(grid, cells(:n), mine)
    low = 1
    high = 1
    low(:n) = int(mine%lower(:n)) - width
    high(:n) = int(mine%upper(:n)) + width
    if (any(mine%extents() == 0)) high = low - 1
    allocate(u(product(high - low + 1)), v(product(high - low + 1)))
    if (faces) options%stencil = WHERRY_STENCIL_FACES
    options%carry%name = 'a random case'
    ! By the width, and by the core in the program's own indices, which are global here.
    if (pick(0, 1) == 1 .and. size(u) > 0) then
      field = wherry_field(view_of(u, n, low, high), int(mine%lower(:n)), int(mine%upper(:n)), name='u')
    else
      field = wherry_field(view_of(u, n, low, high), merge(width, 0, size(u) > 0))
    end if
    call wherry_halo_exchange_create(grid, field, fill, options)
    call set(u, n, mine, cells, low, high)
    call wherry_exchange_run(fill)
    call check(u, n, mine, cells, periodic, faces, low, high)
    ! Other memory of the same shape, in split phase.
    call set(v, n, mine, cells, low, high)
    call wherry_exchange_start(fill, view_of(v, n, low, high))
    done = .false.
    do while (.not. done)
      call wherry_exchange_test(fill, done)
    end do
    call check(v, n, mine, cells, periodic, faces, low, high)
    call wherry_exchange_free(fill)
    ! Two fields, and the second of them alone.
    call wherry_halo_exchange_create(grid, [field, wherry_field(view_of(v, n, low, high), merge(width, 0, size(u) > 0))], &
      fill, options)
    call set(u, n, mine, cells, low, high)
    call set(v, n, mine, cells, low, high)
    call wherry_exchange_run(fill)
    call check(u, n, mine, cells, periodic, faces, low, high)
    call check(v, n, mine, cells, periodic, faces, low, high)
    call only_the_second(fill, u, v, n, mine, cells, periodic, faces, low, high)
  end subroutine

  subroutine only_the_second(fill, u, v, n, mine, cells, periodic, faces, low, high)
    type(wherry_exchange), intent(inout) :: fill
    real(real64), intent(inout) :: u(:), v(:)
    integer, intent(in) :: n, cells(4), low(4), high(4)
    type(wherry_box), intent(in) :: mine
    logical, intent(in) :: periodic(4), faces
    type(wherry_exchange) :: second
    real(real64) :: before(size(u))
    call wherry_halo_exchange_only(fill, [2], second)
    call wherry_exchange_free(fill)
    call set(u, n, mine, cells, low, high)
    call set(v, n, mine, cells, low, high)
    before = u
    call wherry_exchange_run(second)
    call check(v, n, mine, cells, periodic, faces, low, high)
    call require(all(u == before), 'the first field stays as it is')
  end subroutine

  function view_of(u, n, low, high) result(view)
    real(real64), target, intent(inout) :: u(:)
    integer, intent(in) :: n, low(4), high(4)
    type(wherry_view) :: view
    real(real64), pointer :: one(:), two(:,:), three(:,:,:), four(:,:,:,:)
    select case (n)
    case (1)
      one(low(1):high(1)) => u
      view = wherry_view(one, lbound(one))
      if (size(u) == 0) view = wherry_view(u, low(:1))
    case (2)
      two(low(1):high(1), low(2):high(2)) => u
      view = wherry_view(two, low(:2))
    case (3)
      three(low(1):high(1), low(2):high(2), low(3):high(3)) => u
      view = wherry_view(three, low(:3))
    case default
      four(low(1):high(1), low(2):high(2), low(3):high(3), low(4):high(4)) => u
      view = wherry_view(four, low)
    end select
  end function

  function place(i, low, high) result(cell)
    integer, intent(in) :: i, low(4), high(4)
    integer :: cell(4), d, rest
    rest = i - 1
    do d = 1, 4
      cell(d) = low(d) + mod(rest, high(d) - low(d) + 1)
      rest = rest / (high(d) - low(d) + 1)
    end do
  end function
  function number_of(cell, n, cells) result(value)
    integer, intent(in) :: cell(4), n, cells(4)
    real(real64) :: value
    integer :: d
    value = 1
    do d = n, 1, -1
      value = value * cells(d) + cell(d)
    end do
  end function
  subroutine set(u, n, mine, cells, low, high)
    real(real64), intent(inout) :: u(:)
    integer, intent(in) :: n, cells(4), low(4), high(4)
    type(wherry_box), intent(in) :: mine
    integer :: i, cell(4)
    do i = 1, size(u)
      cell = place(i, low, high)
      u(i) = untouched
      if (mine%contains(cell(:n))) u(i) = number_of(cell, n, cells)
    end do
  end subroutine
  subroutine check(u, n, mine, cells, periodic, faces, low, high)
    real(real64), intent(in) :: u(:)
    integer, intent(in) :: n, cells(4), low(4), high(4)
    type(wherry_box), intent(in) :: mine
    logical, intent(in) :: periodic(4), faces
    integer :: i, d, cell(4), beyond
    real(real64) :: wanted
    character(80) :: text
    do i = 1, size(u)
      cell = place(i, low, high)
      beyond = count(cell(:n) < mine%lower(:n) .or. cell(:n) > mine%upper(:n))
      wanted = 0
      do d = 1, n
        if (cell(d) >= 1 .and. cell(d) <= cells(d)) cycle
        if (.not. periodic(d)) wanted = untouched
        cell(d) = modulo(cell(d) - 1, cells(d)) + 1
      end do
      if (beyond > 1 .and. faces) wanted = untouched
      if (wanted == 0) wanted = number_of(cell, n, cells)
      write (text, '(a, i0, a, i0, a, i0)') 'case ', number, ', ', n, ' dimensions, element ', i
      call require(u(i) == wanted, trim(text))
    end do
  end subroutine
end program
