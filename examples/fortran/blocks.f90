! An L-shaped plate of four boxes of different sizes, dealt to the ranks: heat flows in from the edges, which are kept at 1.
! Component 1 has the values of a step, component 2 those of the next one.
program blocks
  use mpi
  use wherry
  implicit none
  type(wherry_communicator) :: comm
  type(wherry_floor_plan) :: plan
  type(wherry_x_array) :: u
  type(wherry_exchange) :: fill
  type(wherry_x_array_options) :: options
  type(wherry_block) :: b
  type(wherry_box) :: boxes(4)
  double precision, pointer :: a(:,:,:)
  double precision :: part, total
  integer :: rank, ranks, n, i, step, now, next, x0, x1, y0, y1, ierr

  call MPI_Init(ierr)
  call wherry_communicator_create(MPI_COMM_WORLD, comm)
  call wherry_communicator_rank(comm, rank, ranks)
  boxes(1) = wherry_make_box([1, 1], [20, 12])  ! both ends included
  boxes(2) = wherry_make_box([21, 1], [32, 12])
  boxes(3) = wherry_make_box([1, 13], [14, 30])
  boxes(4) = wherry_make_box([15, 13], [20, 30])
  call wherry_floor_plan_create(boxes, modulo([0, 1, 2, 3], ranks), plan)
  options%ghost_width = wherry_same_widths(1)
  options%components = 2
  call wherry_x_array_create(comm, plan, WHERRY_FLOAT64, u, options)
  call wherry_ghost_filler_create(u, fill)
  call wherry_x_array_shape(u, blocks=n)

  do i = 1, n
    call find_block(i)
    a = 1
    a(x0:x1, y0:y1, 1) = 0
  end do
  do step = 0, 199
    now = 1 + modulo(step, 2)
    next = 3 - now
    call wherry_exchange_run(fill)
    do i = 1, n
      call find_block(i)
      a(x0:x1, y0:y1, next) = (a(x0-1:x1-1, y0:y1, now) + a(x0+1:x1+1, y0:y1, now) + &
        a(x0:x1, y0-1:y1-1, now) + a(x0:x1, y0+1:y1+1, now)) / 4
    end do
  end do
  part = 0
  do i = 1, n
    call find_block(i)
    part = part + sum(a(x0:x1, y0:y1, 1))
  end do
  call MPI_Reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, f8.6)', 'mean temperature after 200 steps: ', total / (32 * 12 + 20 * 18)
  call wherry_exchange_free(fill); call wherry_x_array_free(u)
  call wherry_floor_plan_free(plan); call wherry_communicator_free(comm)
  call MPI_Finalize(ierr)
contains
  subroutine find_block(i)  ! its cells by their global indices
    integer, intent(in) :: i
    call wherry_x_array_block(u, i, b)
    call wherry_associate(b%values, a)
    x0 = int(b%core%lower(1)); x1 = int(b%core%upper(1)); y0 = int(b%core%lower(2)); y1 = int(b%core%upper(2))
  end subroutine
end program
