! Every procedure of the Fortran modules is called, and what it gives is looked at. Each limit is set to a number of its own, so
! that two procedures that were bound to each other's names would be found.
module every_steps
  use gaspi
  use gaspi_ext
  use gaspi_support
  implicit none

  integer(gaspi_rank_t) :: rank, ranks, next, before
  integer(gaspi_alloc_t), parameter :: zeroes = GASPI_MEM_INITIALIZED
  integer(gaspi_segment_id_t), parameter :: first = 12, second = 13
  integer(gaspi_offset_t), parameter :: word = 8  ! bytes of one
  real(c_double), pointer :: x(:), y(:)           ! what is in the two

  interface
    subroutine c_free(memory) bind(c, name='free')
      import
      type(c_ptr), value :: memory
    end subroutine
    function c_strlen(text) result(length) bind(c, name='strlen')
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  subroutine everybody()
    call ok(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_barrier')
  end subroutine

  function text_of(memory) result(text)
    type(c_ptr), intent(in) :: memory
    character(:), allocatable :: text
    character(c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(memory, letters, [c_strlen(memory)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  subroutine take(segment, wanted, expected)
    integer(gaspi_segment_id_t), intent(in) :: segment
    integer(gaspi_notification_id_t), intent(in) :: wanted
    integer(gaspi_notification_t), intent(in) :: expected
    integer(gaspi_notification_id_t) :: id
    integer(gaspi_notification_t) :: value
    call ok(gaspi_notify_waitsome(segment, wanted, 1, id, GASPI_BLOCK), 'gaspi_notify_waitsome')
    call ok(gaspi_notify_reset(segment, id, value), 'gaspi_notify_reset')
    call require(id == wanted .and. value == expected, 'the notification')
    call gives(GASPI_TIMEOUT, gaspi_notify_waitsome(segment, wanted, 1, id, GASPI_TEST), 'gaspi_notify_waitsome, once it was taken')
  end subroutine

  subroutine configure()
    type(gaspi_config_t) :: config, wrong
    call ok(gaspi_config_get(config), 'gaspi_config_get')
    call require(config%queue_num == 8 .and. config%segment_max == 255 .and. config%rw_list_elem_max == 255, 'the defaults')
    wrong = config
    wrong%queue_num = 17
    call gives(GASPI_ERR_CONFIG, gaspi_config_set(wrong), 'gaspi_config_set of 17 queues')
    config%queue_num = 4
    config%queue_size_max = 77
    config%group_max = 9
    config%segment_max = 40
    config%transfer_size_max = 4096
    config%notification_num = 500
    config%passive_transfer_size_max = 256
    config%allreduce_buf_size = 512
    config%allreduce_elem_max = 33
    config%rw_list_elem_max = 17
    config%network = GASPI_ARIES
    config%build_infrastructure = GASPI_TOPOLOGY_DYNAMIC
    call ok(gaspi_config_set(config), 'gaspi_config_set')
  end subroutine

  subroutine limits()
    integer(gaspi_number_t) :: number
    integer(gaspi_size_t) :: bytes
    integer(gaspi_atomic_value_t) :: largest
    integer(gaspi_int) :: network
    call ok(gaspi_queue_num(number), 'gaspi_queue_num')
    call require(number == 4, 'gaspi_queue_num')
    call ok(gaspi_queue_max(number), 'gaspi_queue_max')
    call require(number == 16, 'gaspi_queue_max')
    call ok(gaspi_queue_size_max(number), 'gaspi_queue_size_max')
    call require(number == 77, 'gaspi_queue_size_max')
    call ok(gaspi_group_max(number), 'gaspi_group_max')
    call require(number == 9, 'gaspi_group_max')
    call ok(gaspi_segment_max(number), 'gaspi_segment_max')
    call require(number == 40, 'gaspi_segment_max')
    call ok(gaspi_notification_num(number), 'gaspi_notification_num')
    call require(number == 500, 'gaspi_notification_num')
    call ok(gaspi_allreduce_elem_max(number), 'gaspi_allreduce_elem_max')
    call require(number == 33, 'gaspi_allreduce_elem_max')
    call ok(gaspi_rw_list_elem_max(number), 'gaspi_rw_list_elem_max')
    call require(number == 17, 'gaspi_rw_list_elem_max')
    call ok(gaspi_build_infrastructure(number), 'gaspi_build_infrastructure')
    call require(number == GASPI_TOPOLOGY_DYNAMIC, 'gaspi_build_infrastructure')
    call ok(gaspi_network_type(network), 'gaspi_network_type')
    call require(network == GASPI_ARIES, 'gaspi_network_type')
    call ok(gaspi_transfer_size_min(bytes), 'gaspi_transfer_size_min')
    call require(bytes == 0, 'gaspi_transfer_size_min')
    call ok(gaspi_transfer_size_max(bytes), 'gaspi_transfer_size_max')
    call require(bytes == 4096, 'gaspi_transfer_size_max')
    call ok(gaspi_passive_transfer_size_min(bytes), 'gaspi_passive_transfer_size_min')
    call require(bytes == 1, 'gaspi_passive_transfer_size_min')
    call ok(gaspi_passive_transfer_size_max(bytes), 'gaspi_passive_transfer_size_max')
    call require(bytes == 256, 'gaspi_passive_transfer_size_max')
    call ok(gaspi_allreduce_buf_size(bytes), 'gaspi_allreduce_buf_size')
    call require(bytes == 512, 'gaspi_allreduce_buf_size')
    call ok(gaspi_atomic_max(largest), 'gaspi_atomic_max')
    call require(largest == -1, 'gaspi_atomic_max')  ! all bits
  end subroutine

  subroutine processes()
    integer(gaspi_rank_t) :: local_rank, local_ranks
    integer(gaspi_int), target :: health(4)
    integer(gaspi_rank_t) :: other
    call ok(gaspi_proc_local_rank(local_rank), 'gaspi_proc_local_rank')
    call ok(gaspi_proc_local_num(local_ranks), 'gaspi_proc_local_num')
    call require(local_ranks >= 1 .and. local_ranks <= ranks, 'gaspi_proc_local_num')
    call require(local_rank >= 0 .and. local_rank < local_ranks, 'gaspi_proc_local_rank')
    call ok(gaspi_connect(next, GASPI_BLOCK), 'gaspi_connect')
    call gives(GASPI_ERR_INV_RANK, gaspi_connect(ranks, GASPI_BLOCK), 'gaspi_connect to no rank')
    health = 99
    call ok(gaspi_state_vec_get(c_loc(health)), 'gaspi_state_vec_get')
    call require(all(health(:ranks) == GASPI_STATE_HEALTHY) .and. all(health(ranks + 1:) == 99), 'all live')
    do other = 0, ranks - 1_gaspi_rank_t
      call ok(gaspi_proc_ping(other, 20000), 'gaspi_proc_ping')
    end do
    call gives(GASPI_ERR_INV_RANK, gaspi_proc_ping(ranks, 20000), 'gaspi_proc_ping of no rank')
    call gives(GASPI_ERR_INV_RANK, gaspi_proc_kill(rank, 1000), 'gaspi_proc_kill of oneself')
  end subroutine

  ! Those with even ranks, and those with odd ones.
  subroutine groups()
    integer(gaspi_group_t) :: group
    integer(gaspi_rank_t), target :: members(4)
    integer(gaspi_number_t) :: number
    integer(gaspi_long), target :: one(1), total(1)
    integer(gaspi_rank_t) :: member
    integer :: place
    call ok(gaspi_group_create(group), 'gaspi_group_create')
    call gives(GASPI_ERR_INV_GROUP, gaspi_barrier(group, GASPI_TEST), 'gaspi_barrier before it is committed')
    do member = modulo(rank, 2_gaspi_rank_t), ranks - 1_gaspi_rank_t, 2_gaspi_rank_t
      call ok(gaspi_group_add(group, member), 'gaspi_group_add')
    end do
    call ok(gaspi_group_commit(group, GASPI_BLOCK), 'gaspi_group_commit')
    call ok(gaspi_group_num(number), 'gaspi_group_num')
    call require(number == 2, 'gaspi_group_num')
    call ok(gaspi_group_size(group, number), 'gaspi_group_size')
    call require(number == (ranks - modulo(rank, 2_gaspi_rank_t) + 1) / 2, 'gaspi_group_size')
    call ok(gaspi_group_ranks(group, c_loc(members)), 'gaspi_group_ranks')
    call require(all(members(:number) == [(modulo(rank, 2_gaspi_rank_t) + 2 * (place - 1), place = 1, number)]), &
      & 'gaspi_group_ranks')
    one = rank
    call ok(gaspi_allreduce(c_loc(one), c_loc(total), 1, int(GASPI_OP_SUM, gaspi_int), int(GASPI_TYPE_LONG, gaspi_int), group, &
      & GASPI_BLOCK), 'gaspi_allreduce')
    call require(total(1) == sum(members(:number)), 'the sum of the group''s ranks')
    call ok(gaspi_barrier(group, GASPI_BLOCK), 'gaspi_barrier')
    call ok(gaspi_group_delete(group), 'gaspi_group_delete')
    call gives(GASPI_ERR_INV_GROUP, gaspi_group_size(group, number), 'gaspi_group_size of a deleted one')
  end subroutine

  subroutine segments()
    real(c_double), target, save :: bound(20), used(500)
    integer(gaspi_segment_id_t), target :: ids(4)
    integer(gaspi_segment_id_t) :: id
    integer(gaspi_number_t) :: number
    integer(gaspi_size_t) :: bytes
    integer(gaspi_rank_t) :: other
    type(c_ptr) :: memory, array
    bytes = 64 + 8 * rank
    call ok(gaspi_segment_alloc(0_gaspi_segment_id_t, bytes, zeroes), 'gaspi_segment_alloc')
    bytes = 8 * size(bound)
    call ok(gaspi_segment_bind(1_gaspi_segment_id_t, c_loc(bound), bytes, 0), 'gaspi_segment_bind')
    do other = 0, ranks - 1_gaspi_rank_t
      call ok(gaspi_segment_register(0_gaspi_segment_id_t, other, GASPI_BLOCK), 'gaspi_segment_register')
    end do
    bytes = 8 * 1000
    call ok(gaspi_segment_create(first, bytes, GASPI_GROUP_ALL, GASPI_BLOCK, zeroes), 'gaspi_segment_create')
    bytes = 8 * size(used)
    call ok(gaspi_segment_use(second, c_loc(used), bytes, GASPI_GROUP_ALL, GASPI_BLOCK, 0), 'gaspi_segment_use')
    call ok(gaspi_segment_num(number), 'gaspi_segment_num')
    call require(number == 4, 'gaspi_segment_num')
    call ok(gaspi_segment_list(number, c_loc(ids)), 'gaspi_segment_list')
    call require(all(ids == [0_gaspi_segment_id_t, 1_gaspi_segment_id_t, first, second]), 'gaspi_segment_list')
    call ok(gaspi_segment_avail_local(id), 'gaspi_segment_avail_local')
    call require(id == 2, 'gaspi_segment_avail_local')
    do other = 0, ranks - 1_gaspi_rank_t
      call ok(gaspi_segment_size(0_gaspi_segment_id_t, other, bytes), 'gaspi_segment_size')
      call require(bytes == 64 + 8 * other, 'gaspi_segment_size')
    end do
    call ok(gaspi_segment_ptr(1_gaspi_segment_id_t, memory), 'gaspi_segment_ptr')
    array = c_loc(bound)  ! as an argument of c_associated's it breaks GCC 12
    call require(c_associated(memory, array), 'gaspi_segment_ptr, of an array')
    call everybody()
    call ok(gaspi_segment_delete(0_gaspi_segment_id_t), 'gaspi_segment_delete')
    call ok(gaspi_segment_delete(1_gaspi_segment_id_t), 'gaspi_segment_delete')
    call gives(GASPI_ERR_INV_SEG, gaspi_segment_ptr(1_gaspi_segment_id_t, memory), 'gaspi_segment_ptr of a deleted one')
    call ok(gaspi_segment_ptr(first, memory), 'gaspi_segment_ptr')
    call c_f_pointer(memory, x, [1000])
    call require(all(x == 0), 'zeroes')
    y => used
    y = 0
    call everybody()
  end subroutine

  ! x(1:10) to the next rank's y, and back to here.
  subroutine writes_and_reads()
    integer(gaspi_queue_id_t), parameter :: queue = 2
    integer(gaspi_number_t) :: number
    integer(gaspi_size_t) :: bytes
    integer :: i
    bytes = 10 * word
    x(1:10) = [(100 * rank + i, i = 1, 10)]
    call ok(gaspi_write(first, 0_gaspi_offset_t, next, second, 4 * word, bytes, queue, GASPI_BLOCK), 'gaspi_write')
    call ok(gaspi_notify(second, next, 30, 31, queue, GASPI_BLOCK), 'gaspi_notify')
    call ok(gaspi_queue_size(queue, number), 'gaspi_queue_size')
    call require(number == 2, 'gaspi_queue_size')
    call take(second, 30, 31)
    call require(all(y(5:14) == [(100 * before + i, i = 1, 10)]) .and. all(y(:4) == 0) .and. all(y(15:) == 0), 'what was written')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call ok(gaspi_queue_size(queue, number), 'gaspi_queue_size')
    call require(number == 0, 'gaspi_queue_size after gaspi_wait')
    call ok(gaspi_read(first, 100 * word, next, second, 4 * word, bytes, queue, GASPI_BLOCK), 'gaspi_read')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call require(all(x(101:110) == x(1:10)), 'what was read')
    bytes = 2 * word
    call ok(gaspi_read_notify(first, 110 * word, next, second, 5 * word, bytes, 32, queue, GASPI_BLOCK), 'gaspi_read_notify')
    call take(first, 32, 1)
    call require(all(x(111:112) == x(2:3)), 'what was read with a notification')
    call everybody()
    call ok(gaspi_write_notify(first, word, next, second, 40 * word, bytes, 33, 34, queue, GASPI_BLOCK), 'gaspi_write_notify')
    call take(second, 33, 34)
    call require(all(y(41:42) == [(100 * before + i, i = 2, 3)]), 'what was written with a notification')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call gives(GASPI_ERR_INV_RANK, gaspi_read(first, word, ranks, second, word, bytes, queue, GASPI_BLOCK), &
      & 'gaspi_read from no rank')
    call everybody()
  end subroutine

  ! Three pieces each, the places of the rank they go to in the other order.
  subroutine lists()
    integer(gaspi_queue_id_t), parameter :: queue = 3
    integer(gaspi_segment_id_t), target :: here(3), there(3)
    integer(gaspi_offset_t), target :: from(3), to(3), back(3)
    integer(gaspi_size_t), target :: bytes(3)
    integer(gaspi_number_t) :: number
    here = first
    there = second
    bytes = [1, 2, 3] * word
    from = [0, 2, 5] * word
    to = [160, 150, 140] * word
    back = [200, 210, 220] * word
    call ok(gaspi_write_list(3, c_loc(here), c_loc(from), next, c_loc(there), c_loc(to), c_loc(bytes), queue, GASPI_BLOCK), &
      & 'gaspi_write_list')
    call ok(gaspi_queue_size(queue, number), 'gaspi_queue_size')
    call require(number == 3, 'gaspi_queue_size of a list')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call everybody()
    call have_come('gaspi_write_list')
    y = 0
    call everybody()
    call ok(gaspi_write_list_notify(3, c_loc(here), c_loc(from), next, c_loc(there), c_loc(to), c_loc(bytes), second, 40, 41, &
      & queue, GASPI_BLOCK), 'gaspi_write_list_notify')
    call take(second, 40, 41)
    call have_come('gaspi_write_list_notify')
    call everybody()
    x(200:) = 0
    call ok(gaspi_read_list(3, c_loc(here), c_loc(back), next, c_loc(there), c_loc(to), c_loc(bytes), queue, GASPI_BLOCK), &
      & 'gaspi_read_list')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call are_back('gaspi_read_list')
    x(200:) = 0
    call ok(gaspi_read_list_notify(3, c_loc(here), c_loc(back), next, c_loc(there), c_loc(to), c_loc(bytes), first, 42, queue, &
      & GASPI_BLOCK), 'gaspi_read_list_notify')
    call take(first, 42, 1)
    call are_back('gaspi_read_list_notify')
    call ok(gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait')
    call gives(GASPI_ERR_INV_NUM, gaspi_read_list(0, c_loc(here), c_loc(back), next, c_loc(there), c_loc(to), c_loc(bytes), queue, &
      & GASPI_BLOCK), 'gaspi_read_list of nothing')
    call everybody()
  contains
    subroutine have_come(how)
      character(*), intent(in) :: how
      integer :: i
      call require(y(161) == 100 * before + 1 .and. all(y(151:152) == [(100 * before + i, i = 3, 4)]) .and. &
        & all(y(141:143) == [(100 * before + i, i = 6, 8)]) .and. count(y(140:170) /= 0) == 6, how)
    end subroutine
    subroutine are_back(how)
      character(*), intent(in) :: how
      call require(x(201) == x(1) .and. all(x(211:212) == x(3:4)) .and. all(x(221:223) == x(6:8)) .and. &
        & count(x(200:) /= 0) == 6, how)
    end subroutine
  end subroutine

  subroutine queues()
    integer(gaspi_queue_id_t) :: queue
    integer(gaspi_number_t) :: number
    call ok(gaspi_queue_create(queue, GASPI_BLOCK), 'gaspi_queue_create')
    call require(queue == 4, 'gaspi_queue_create')
    call ok(gaspi_queue_num(number), 'gaspi_queue_num')
    call require(number == 5, 'gaspi_queue_num')
    call ok(gaspi_write(first, 0_gaspi_offset_t, next, second, 200 * word, word, queue, GASPI_BLOCK), 'gaspi_write')
    call ok(gaspi_queue_purge(queue, GASPI_BLOCK), 'gaspi_queue_purge')
    call ok(gaspi_queue_size(queue, number), 'gaspi_queue_size')
    call require(number == 0, 'gaspi_queue_purge')
    call ok(gaspi_queue_delete(queue), 'gaspi_queue_delete')
    call gives(GASPI_ERR_INV_QUEUE, gaspi_wait(queue, GASPI_BLOCK), 'gaspi_wait for a deleted queue')
    call ok(gaspi_queue_num(number), 'gaspi_queue_num')
    call require(number == 4, 'gaspi_queue_num')
    call everybody()
  end subroutine

  ! A counter of rank 0's, and a word that one rank alone gets.
  subroutine atomics()
    integer(gaspi_atomic_value_t) :: old
    integer(gaspi_long), target :: mine(1), all_won(1)
    x(301:302) = 0
    call everybody()
    call ok(gaspi_atomic_fetch_add(first, 300 * word, 0_gaspi_rank_t, 7_gaspi_atomic_value_t, old, GASPI_BLOCK), &
      & 'gaspi_atomic_fetch_add')
    call require(modulo(old, 7_gaspi_atomic_value_t) == 0 .and. old >= 0 .and. old < 7 * ranks, 'gaspi_atomic_fetch_add')
    call ok(gaspi_atomic_compare_swap(first, 301 * word, 0_gaspi_rank_t, 0_gaspi_atomic_value_t, &
      & int(rank + 1, gaspi_atomic_value_t), old, GASPI_BLOCK), 'gaspi_atomic_compare_swap')
    mine = merge(1, 0, old == 0)
    call ok(gaspi_allreduce(c_loc(mine), c_loc(all_won), 1, int(GASPI_OP_SUM, gaspi_int), int(GASPI_TYPE_LONG, gaspi_int), &
      & GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_allreduce')
    call require(all_won(1) == 1, 'one rank has got the word')
    call ok(gaspi_atomic_fetch_add(first, 300 * word, 0_gaspi_rank_t, 0_gaspi_atomic_value_t, old, GASPI_BLOCK), &
      & 'gaspi_atomic_fetch_add')
    call require(old == 7 * ranks, 'the counter')
    call everybody()
  end subroutine

  subroutine passive()
    integer(gaspi_rank_t) :: from
    integer(gaspi_size_t) :: bytes
    bytes = 4 * word
    call gives(GASPI_TIMEOUT, gaspi_passive_receive(first, 400 * word, from, bytes, GASPI_TEST), 'gaspi_passive_receive of nothing')
    call everybody()
    call ok(gaspi_passive_send(first, 0_gaspi_offset_t, next, bytes, GASPI_BLOCK), 'gaspi_passive_send')
    call ok(gaspi_passive_receive(first, 400 * word, from, bytes, GASPI_BLOCK), 'gaspi_passive_receive')
    call require(from == before .and. all(x(401:404) == x(1:4) - 100 * rank + 100 * before), 'the passive message')
    call everybody()
  end subroutine

  ! The state counts the elements.
  function product_of(one, two, result, state, num, element_size, timeout_ms) result(res) bind(c)
    integer(gaspi_number_t), value :: num
    real(c_double), intent(in) :: one(num), two(num)
    real(c_double), intent(out) :: result(num)
    type(c_ptr), value :: state
    integer(gaspi_size_t), value :: element_size
    integer(c_long), value :: timeout_ms
    integer(gaspi_return_t) :: res
    integer(c_int), pointer :: elements
    call c_f_pointer(state, elements)
    elements = elements + num
    result = one * two
    res = merge(GASPI_SUCCESS, GASPI_ERROR, element_size == word .and. timeout_ms == -1)
  end function

  subroutine reductions()
    real(c_double), target :: mine(3), factors(3)
    real(c_float), target :: near(2), least(2)
    integer(c_int), target :: elements
    integer :: i, other
    near = [real(c_float) :: rank + 0.5, -rank]
    call ok(gaspi_allreduce(c_loc(near), c_loc(least), 2, int(GASPI_OP_MIN, gaspi_int), int(GASPI_TYPE_FLOAT, gaspi_int), &
      & GASPI_GROUP_ALL, GASPI_BLOCK), 'gaspi_allreduce')
    call require(least(1) == 0.5 .and. least(2) == 1 - ranks, 'the least')
    mine = [(rank + i, i = 1, 3)]
    elements = 0
    call ok(gaspi_allreduce_user(c_loc(mine), c_loc(factors), 3, word, c_funloc(product_of), c_loc(elements), GASPI_GROUP_ALL, &
      & GASPI_BLOCK), 'gaspi_allreduce_user')
    do i = 1, 3
      call require(factors(i) == product([(real(i + other, c_double), other = 0, ranks - 1)]), 'the product')
    end do
    call require(modulo(elements, 3) == 0, 'the state')
  end subroutine

  subroutine times_and_machine()
    real(gaspi_float) :: version, megahertz
    real(gaspi_time_t) :: one, two
    integer(gaspi_cycles_t) :: first_ticks, last_ticks
    character(c_char) :: machine(16)
    integer(c_signed_char) :: socket
    type(c_ptr) :: memory
    integer(gaspi_return_t) :: res
    call ok(gaspi_version(version), 'gaspi_version')
    call require(abs(version - 1.6) < 0.01, 'gaspi_version')
    call ok(gaspi_time_get(one), 'gaspi_time_get')
    call ok(gaspi_time_ticks(first_ticks), 'gaspi_time_ticks')
    two = one
    do while (two < one + 5)  ! ms
      call ok(gaspi_time_get(two), 'gaspi_time_get')
    end do
    call ok(gaspi_time_ticks(last_ticks), 'gaspi_time_ticks')
    call require(one > 0 .and. two < one + 20000 .and. last_ticks > first_ticks, 'time goes on')
    machine = '-'
    call ok(gaspi_machine_type(machine), 'gaspi_machine_type')
    call require(machine(1) /= '-' .and. any(machine == c_null_char), 'gaspi_machine_type')
    res = gaspi_cpu_frequency(megahertz)
    call require(merge(megahertz > 0, res == GASPI_ERROR, res == GASPI_SUCCESS), 'gaspi_cpu_frequency')
    socket = -1
    call gives(GASPI_ERR_ENV, gaspi_numa_socket(socket), 'gaspi_numa_socket without gaspi_run -N')
    call gaspi_delay()
    call gives(GASPI_ERROR, gaspi_set_socket_affinity(-6_c_signed_char), 'gaspi_set_socket_affinity to number 250')
    call gaspi_print_affinity_mask()
    call gaspi_printf('from Fortran'//c_new_line//c_null_char)
    call gaspi_printf_to(0_gaspi_rank_t, 'and to rank 0'//c_new_line//c_null_char)
    call ok(gaspi_print_error(GASPI_ERR_INV_RANK, memory), 'gaspi_print_error')
    call require(text_of(memory) == text_of(gaspi_error_str(GASPI_ERR_INV_RANK)), 'gaspi_print_error')
    call require(text_of(memory) == 'no such rank', 'gaspi_error_str')
    call c_free(memory)
  end subroutine

  subroutine statistics()
    integer(gaspi_number_t) :: number, level
    integer(gaspi_int) :: argument
    integer(gaspi_long) :: value
    type(c_ptr) :: name, description
    call ok(gaspi_statistic_counter_max(number), 'gaspi_statistic_counter_max')
    call require(number == 4, 'gaspi_statistic_counter_max')
    call ok(gaspi_statistic_counter_info(0, argument, name, description, level), 'gaspi_statistic_counter_info')
    call require(argument == GASPI_STATISTIC_ARGUMENT_NONE .and. level == 1 .and. text_of(name) == 'bytes_written' .and. &
      & len(text_of(description)) > 20, 'gaspi_statistic_counter_info')
    call ok(gaspi_statistic_verbosity_level(1), 'gaspi_statistic_verbosity_level')
    call ok(gaspi_write(first, 0_gaspi_offset_t, rank, first, 500 * word, 3 * word, 0_gaspi_queue_id_t, GASPI_BLOCK), 'gaspi_write')
    call ok(gaspi_wait(0_gaspi_queue_id_t, GASPI_BLOCK), 'gaspi_wait')
    call ok(gaspi_statistic_counter_get(0, 0, value), 'gaspi_statistic_counter_get')
    call require(value == 24, 'gaspi_statistic_counter_get')
    call ok(gaspi_statistic_counter_reset(0), 'gaspi_statistic_counter_reset')
    call ok(gaspi_statistic_counter_get(0, 0, value), 'gaspi_statistic_counter_get')
    call require(value == 0, 'gaspi_statistic_counter_reset')
    call ok(gaspi_pcontrol(c_null_ptr), 'gaspi_pcontrol')
  end subroutine
end module

program every
  use every_steps
  implicit none
  integer(gaspi_number_t) :: is_here

  call gives(GASPI_ERR_NOINIT, gaspi_proc_rank(rank), 'gaspi_proc_rank before gaspi_proc_init')
  call configure()
  call ok(gaspi_proc_init(GASPI_BLOCK), 'gaspi_proc_init')
  call ok(gaspi_initialized(is_here), 'gaspi_initialized')
  call require(is_here == 1, 'gaspi_initialized')
  call ok(gaspi_proc_rank(rank), 'gaspi_proc_rank')
  call ok(gaspi_proc_num(ranks), 'gaspi_proc_num')
  call require(rank >= 0 .and. rank < ranks, 'the rank')
  next = modulo(rank + 1_gaspi_rank_t, ranks)
  before = modulo(rank + ranks - 1_gaspi_rank_t, ranks)
  call limits()
  call processes()
  call groups()
  call segments()
  call writes_and_reads()
  call lists()
  call queues()
  call atomics()
  call passive()
  call reductions()
  call times_and_machine()
  call statistics()
  call everybody()
  call ok(gaspi_disconnect(next, GASPI_BLOCK), 'gaspi_disconnect')
  if (rank == 0) write (*, '(a, i0, a)') 'every: ', ranks, ' ranks passed'
  call ok(gaspi_proc_term(GASPI_BLOCK), 'gaspi_proc_term')
  call ok(gaspi_initialized(is_here), 'gaspi_initialized')
  call require(is_here == 0, 'gaspi_initialized after gaspi_proc_term')
end program
