! A program with mpi_f08 and handles of its own: communicator, datatype, operation, and requests of both kinds in one list.
module doubled_sum
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08, only: MPI_Datatype
  implicit none
contains
  ! Of 2x2 matrices: the elements' sum.
  subroutine add_matrices(one, other, length, datatype)
    type(c_ptr), value :: one, other
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: added(:), sum_of_both(:)
    call c_f_pointer(one, added, [4 * length])
    call c_f_pointer(other, sum_of_both, [4 * length])
    sum_of_both = sum_of_both + added
  end subroutine
end module

program own_handles
  use mpi_f08
  use crestacoll_f08
  use cresta_sp_coll_f08
  use doubled_sum
  implicit none
  type(MPI_Comm) :: backwards
  type(MPI_Datatype) :: matrix
  type(MPI_Op) :: add
  integer :: me, ranks, mine, faults, all_faults
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -me, backwards)
  call MPI_Comm_rank(backwards, mine)
  call MPI_Type_contiguous(4, MPI_INTEGER, matrix)
  call MPI_Type_commit(matrix)
  call MPI_Op_create(add_matrices, .true., add)
  faults = 0
  call CRESTA_Win_init(backwards)
  call at_once()
  call begun()
  call CRESTA_Win_finalize()
  call MPI_Op_free(add)
  call MPI_Type_free(matrix)
  call MPI_Comm_free(backwards)
  call MPI_Allreduce(faults, all_faults, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (me == 0) print '(i0,a,i0,a)', ranks, ' ranks: ', all_faults, ' faults with handles of its own'
  call MPI_Finalize()
  if (all_faults /= 0) error stop 1

contains

  subroutine require(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    faults = faults + 1
    print '(a,i0,2a)', 'rank ', me, ': wrong: ', what
  end subroutine

  ! The elements of the sum of all ranks' matrices (me, me + 1; me + 2, me + 3).
  logical function is_sum(total)
    integer, intent(in) :: total(2, 2)
    integer :: i
    is_sum = all(reshape(total, [4]) == [(ranks * (ranks - 1) / 2 + ranks * i, i = 0, 3)])
  end function

  subroutine at_once()
    integer :: from(2, 2), total(2, 2), places(ranks), i, rc
    from = reshape([(me + i, i = 0, 3)], [2, 2])
    call CRESTA_Allreduce(from, total, 1, matrix, add, backwards, rc=rc)
    call require(rc == MPI_SUCCESS .and. is_sum(total), 'CRESTA_Allreduce')
    call CRESTA_Allgather(me, 1, MPI_INTEGER, places, 1, MPI_INTEGER, backwards)
    call require(all(places == [(ranks - 1 - i, i = 0, ranks - 1)]), 'CRESTA_Allgather')
  end subroutine

  subroutine begun()
    integer :: i
    integer, asynchronous :: from(2, 2), left, total(2, 2), word
    type(MPI_Request) :: requests(3), request
    from = reshape([(me + i, i = 0, 3)], [2, 2])
    word = merge(7, 0, mine == 0)
    call MPI_Irecv(left, 1, MPI_INTEGER, modulo(mine - 1, ranks), 3, backwards, requests(1))
    call CRESTA_Allreduce_begin(from, total, 1, matrix, add, backwards, requests(2))
    call CRESTA_Bcast_begin(word, 1, MPI_INTEGER, 0, backwards, requests(3))
    call MPI_Send(mine, 1, MPI_INTEGER, modulo(mine + 1, ranks), 3, backwards)
    call CRESTA_Coll_end(3, requests)
    call require(left == modulo(mine - 1, ranks), 'MPI''s own request')
    call require(is_sum(total), 'CRESTA_Allreduce_begin')
    call require(word == 7, 'CRESTA_Bcast_begin')
    call CRESTA_Bcast_begin(word, 1, MPI_INTEGER, 0, backwards, request)
    call CRESTA_Coll_end(1, request)
  end subroutine
end program
