! A GASPI program in Fortran: a ring of notified writes, lists, reductions, passive messages, time limits.
module ring_operations
  use gaspi
  implicit none
contains
  function larger(one, two, result, state, num, element_size, timeout_ms) result(res) bind(c)
    integer(gaspi_number_t), value :: num
    integer(c_int), intent(in) :: one(num), two(num)
    integer(c_int), intent(out) :: result(num)
    type(c_ptr), value :: state
    integer(gaspi_size_t), value :: element_size
    integer(c_long), value :: timeout_ms
    integer(gaspi_return_t) :: res
    result = max(one, two)
    res = GASPI_SUCCESS
    if (element_size /= 4 .or. c_associated(state) .or. timeout_ms == 1) res = GASPI_ERROR
  end function
end module

program ring
  use gaspi
  use gaspi_ext
  use gaspi_support
  use ring_operations
  implicit none

  integer(gaspi_segment_id_t), parameter :: seg = 3
  integer(gaspi_queue_id_t), parameter :: queue = 1
  integer(gaspi_rank_t) :: rank, ranks, next, before, from
  integer(gaspi_size_t) :: bytes
  integer(gaspi_alloc_t) :: policy
  integer(gaspi_notification_id_t) :: id
  integer(gaspi_notification_t) :: value
  integer(gaspi_number_t) :: number, is_here
  integer(gaspi_return_t) :: res
  integer(gaspi_atomic_value_t) :: old
  type(gaspi_config_t) :: config
  type(c_ptr) :: memory
  real(c_double), pointer :: x(:)
  integer(gaspi_segment_id_t), target :: ids(3)
  integer(gaspi_offset_t), target :: here(3), there(3)
  integer(gaspi_size_t), target :: sizes(3)
  integer(c_int), target :: mine(2), most(2)
  real(c_double), target :: one(1), total(1)
  real(gaspi_float) :: version
  integer :: i

  call ok(gaspi_config_get(config), 'gaspi_config_get')
  call require(config%queue_num == 8 .and. config%notification_num == 65536, 'the configuration')
  config%queue_size_max = 99
  call ok(gaspi_config_set(config), 'gaspi_config_set')
  call ok(gaspi_version(version), 'gaspi_version')
  call ok(gaspi_proc_init(GASPI_BLOCK), 'gaspi_proc_init')
  call ok(gaspi_initialized(is_here), 'gaspi_initialized')
  call require(is_here == 1, 'it is initialised')
  call ok(gaspi_queue_size_max(number), 'gaspi_queue_size_max')
  call require(number == 99, 'the configuration that was set')
  call ok(gaspi_proc_rank(rank), 'gaspi_proc_rank')
  call ok(gaspi_proc_num(ranks), 'gaspi_proc_num')
  next = modulo(rank + 1_gaspi_rank_t, ranks)
  before = modulo(rank + ranks - 1_gaspi_rank_t, ranks)

  bytes = 8 * 1000
  policy = GASPI_MEM_INITIALIZED
  call ok(gaspi_segment_create(seg, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, policy), 'gaspi_segment_create')
  call ok(gaspi_segment_ptr(seg, memory), 'gaspi_segment_ptr')
  call c_f_pointer(memory, x, [1000])
  call require(all(x == 0), 'zeroes')
  res = gaspi_notify_waitsome(seg, 0, 100, id, GASPI_TEST)
  call require(res == GASPI_TIMEOUT, 'no notification has come')
  res = gaspi_notify_waitsome(seg, 0, 100, id, 20)
  call require(res == GASPI_TIMEOUT, 'nor within 20 ms')
  call ok(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_barrier')

  x(1:500) = rank + 1
  bytes = 8 * 500
  call ok(gaspi_write_notify(seg, 0_gaspi_offset_t, next, seg, bytes, bytes, 40000, 7, queue, GASPI_BLOCK), 'gaspi_write_notify')
  call ok(gaspi_notify_waitsome(seg, 0, 65536, id, GASPI_BLOCK), 'gaspi_notify_waitsome')
  call ok(gaspi_notify_reset(seg, id, value), 'gaspi_notify_reset')
  call require(id == 40000 .and. value == 7, 'the notification')
  call require(all(x(501:1000) == before + 1), 'what has come')
  call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
  call ok(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_barrier')

  ids = seg
  do i = 1, 3
    here(i) = 8 * (i - 1)
    there(i) = 8 * (500 + i)
    sizes(i) = 8
  end do
  call ok(gaspi_read_list_notify(3, c_loc(ids), c_loc(here), next, c_loc(ids), c_loc(there), c_loc(sizes), seg, 5, queue, &
    & GASPI_BLOCK), 'gaspi_read_list_notify')
  call ok(gaspi_notify_waitsome(seg, 5, 1, id, GASPI_BLOCK), 'gaspi_notify_waitsome')
  call require(all(x(1:3) == rank + 1), 'what the next has got from here')

  mine = [int(rank), -int(rank)]
  call ok(gaspi_allreduce(c_loc(mine), c_loc(most), 2, int(GASPI_OP_MAX, gaspi_int), int(GASPI_TYPE_INT, gaspi_int), &
    & GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_allreduce')
  call require(most(1) == ranks - 1 .and. most(2) == 0, 'the largest')
  most = -99
  call ok(gaspi_allreduce_user(c_loc(mine), c_loc(most), 2, 4_gaspi_size_t, c_funloc(larger), c_null_ptr, GASPI_GROUP_ALL, &
    & GASPI_BLOCK), 'gaspi_allreduce_user')
  call require(most(1) == ranks - 1 .and. most(2) == 0, 'the largest, by a function of ours')
  one = rank + 0.5d0
  do
    res = gaspi_allreduce(c_loc(one), c_loc(total), 1, int(GASPI_OP_SUM, gaspi_int), int(GASPI_TYPE_DOUBLE, gaspi_int), &
      & GASPI_GROUP_ALL, GASPI_TEST)
    if (res /= GASPI_TIMEOUT) exit
  end do
  call ok(res, 'gaspi_allreduce, repeated')
  call require(total(1) == ranks * ranks / 2.0d0, 'the sum')

  call ok(gaspi_passive_send(seg, 0_gaspi_offset_t, next, 8_gaspi_size_t, GASPI_BLOCK), 'gaspi_passive_send')
  call ok(gaspi_passive_receive(seg, 80_gaspi_offset_t, from, 8_gaspi_size_t, GASPI_BLOCK), 'gaspi_passive_receive')
  call require(from == before .and. x(11) == before + 1, 'the passive message')

  x(21) = 0
  call ok(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_barrier')
  call ok(gaspi_atomic_fetch_add(seg, 160_gaspi_offset_t, 0_gaspi_rank_t, 5_gaspi_atomic_value_t, old, GASPI_BLOCK), &
    & 'gaspi_atomic_fetch_add')
  call require(modulo(old, 5_gaspi_atomic_value_t) == 0, 'the counter')
  res = gaspi_write(seg, 0_gaspi_offset_t, ranks, seg, 0_gaspi_offset_t, bytes, queue, GASPI_BLOCK)
  call require(res == GASPI_ERR_INV_RANK, 'a rank too many')
  call gaspi_printf('from Fortran'//c_new_line//c_null_char)
  call ok(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_barrier')
  if (rank == 0) write (*, '(a, i0, a)') 'ring: ', ranks, ' ranks passed'
  call ok(gaspi_proc_term(GASPI_BLOCK), 'gaspi_proc_term')
end program
