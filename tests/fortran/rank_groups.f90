! Groups of ranks: sums and a function of the program's, against what each member works out.
module rank_groups_of_test
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int, c_ptr, c_size_t
  implicit none
contains
  function nearer(into, from, count, context) bind(c) result(failure)
    type(c_ptr), value :: into, from, context
    integer(c_size_t), value :: count
    integer(c_int) :: failure
    real(c_double), pointer :: a(:), b(:), target
    call c_f_pointer(into, a, [count])
    call c_f_pointer(from, b, [count])
    call c_f_pointer(context, target)
    where (abs(b - target) < abs(a - target)) a = b
    failure = 0
  end function
end module
program rank_groups
  use test_support
  use rank_groups_of_test
  use, intrinsic :: iso_c_binding, only: c_funloc, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none
  integer :: round
  call begin()
  do round = 1, 8
    call of_some(round == 1)
  end do
  call of_nobody()
  call finish('rank_groups')
contains
  subroutine of_some(all_of_them)
    logical, intent(in) :: all_of_them
    type(wherry_rank_group) :: group
    type(wherry_statistics) :: moved
    integer, allocatable :: found(:)
    logical :: member(0:ranks - 1), done, committed
    integer :: r, n, place, ierror
    character(300) :: errmsg
    character(:), allocatable :: text
    do r = 0, ranks - 1
      member(r) = pick(0, 1) == 1 .or. all_of_them
    end do
    n = pick(0, 3000)
    call wherry_rank_group_create(comm, group, name='some')
    do r = ranks - 1, 0, -1
      if (member(r)) call wherry_rank_group_add(group, r)
    end do
    call wherry_rank_group_ranks(group, found, place)
    call require(size(found) == count(member) .and. all(member(found)), 'the members')
    call require(place == merge(count(member(:rank)), 0, member(rank)), 'the place of this rank')
    if (.not. member(rank)) then
      call wherry_rank_group_commit(group, seconds=0.0_real64, ierror=ierror, errmsg=errmsg)
      call require(ierror == WHERRY_ERROR_ARGUMENT, 'a rank that is no member')
      return
    end if
    call wherry_rank_group_barrier(group, done, 0.0_real64, ierror, errmsg)
    call require(ierror == WHERRY_ERROR_STATE .and. .not. done, 'a barrier before the group is committed')
    done = .false.
    do while (.not. done)
      call wherry_rank_group_commit(group, done, 0.1_real64)
    end do
    call wherry_rank_group_committed(group, committed)
    call require(committed, 'the group is committed')
    done = .false.
    do while (.not. done)
      call wherry_rank_group_barrier(group, done, 0.0_real64)
    end do
    call sums(group, n, sum([(r + 1, r = 0, ranks - 1)], mask=member))
    call nearest(group, member)
    call wrong_arguments(group)
    call wherry_rank_group_explain(group, text)
    call require(index(text, '''some''') > 0, 'the text has the name')
    call wherry_rank_group_transport(group, text)
    call require(len(text) > 0, 'a transport')
    call wherry_rank_group_statistics(group, moved)
    call require(moved%exchanges > 0, 'what was moved is counted')
    call wherry_rank_group_barrier(group)
    call wherry_rank_group_add(group, 0, ierror, errmsg)
    call require(ierror == WHERRY_ERROR_STATE, 'a rank too late')
  end subroutine

  subroutine sums(group, n, factor)
    type(wherry_rank_group), intent(in) :: group
    integer, intent(in) :: n, factor
    integer(int32), target, asynchronous :: mine(n), total(n), square(2, 3)
    integer :: i
    mine = [(i * (rank + 1), i = 1, n)]
    total = -1
    call wherry_rank_group_allreduce(group, wherry_view(mine), wherry_view(total), wherry_reduction(WHERRY_ADD))
    call require(all(total == [(i * factor, i = 1, n)]), 'the sums')
    ! In place, of several dimensions.
    square = rank + 1
    call wherry_rank_group_allreduce(group, wherry_view(square), wherry_view(square), wherry_reduction(WHERRY_ADD))
    call require(all(square == factor), 'sums in place')
  end subroutine
  subroutine nearest(group, member)
    type(wherry_rank_group), intent(in) :: group
    logical, intent(in) :: member(0:)
    real(real64), target, asynchronous :: mine(3), found(3)
    real(real64), target :: goal
    real(real64) :: wanted
    logical :: done
    integer :: r
    goal = 1.2_real64
    mine = rank
    wanted = -1
    do r = 0, ranks - 1
      if (member(r) .and. (wanted < 0 .or. abs(r - goal) < abs(wanted - goal))) wanted = r
    end do
    done = .false.
    do while (.not. done)
      call wherry_rank_group_allreduce(group, wherry_view(mine), wherry_view(found), &
        wherry_reduction(function=c_funloc(nearer), context=c_loc(goal), name='nearer', type=WHERRY_FLOAT64), done, 0.1_real64)
    end do
    call require(all(found == wanted), 'the nearest')
  end subroutine
  ! All members give the same wrong arguments.
  subroutine wrong_arguments(group)
    type(wherry_rank_group), intent(in) :: group
    real(real64), target, asynchronous :: x(4)
    integer(int32), target, asynchronous :: i(4)
    integer :: ierror
    character(300) :: errmsg
    x = 0
    call wherry_rank_group_allreduce(group, wherry_view(x), wherry_view(i), wherry_reduction(WHERRY_ADD), &
      ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'different types or sizes')
    call wherry_rank_group_allreduce(group, wherry_view(x), wherry_view(x(:3)), wherry_reduction(WHERRY_ADD), &
      ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'different types or sizes')
    call wherry_rank_group_allreduce(group, wherry_view(x(::2)), wherry_view(x(::2)), wherry_reduction(WHERRY_ADD), &
      ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'do not lie side by side')
    call wherry_rank_group_allreduce(group, wherry_view(x), wherry_view(x), wherry_reduction(WHERRY_BIT_AND), &
      ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'has no meaning')
    call wherry_rank_group_allreduce(group, wherry_view(x), wherry_view(x), wherry_reduction(), ierror=ierror, errmsg=errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, 'no operation and no function')
  end subroutine

  subroutine of_nobody()
    type(wherry_rank_group) :: group
    integer :: ierror
    character(300) :: errmsg
    call wherry_rank_group_add(group, 0, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '''group'' is NULL')
    call wherry_rank_group_create(comm, group)
    call wherry_rank_group_add(group, 99, ierror, errmsg)
    call fails(ierror, errmsg, WHERRY_ERROR_ARGUMENT, '99')
  end subroutine
end program
