/* A tool's own gaspi_write counts, and calls the one behind it; its gaspi_pcontrol sets the counter. */
#include <PGASPI.h>

#include "gaspi_support.h"

static int writes = 0;

gaspi_return_t gaspi_write(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                           const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                           const gaspi_offset_t offset_remote, const gaspi_size_t size, const gaspi_queue_id_t queue,
                           const gaspi_timeout_t timeout_ms) {
  ++writes;
  return pgaspi_write(segment_id_local, offset_local, rank, segment_id_remote, offset_remote, size, queue, timeout_ms);
}

gaspi_return_t gaspi_pcontrol(gaspi_pointer_t argument) {
  writes = *(const int*)argument;
  return pgaspi_pcontrol(argument);
}

int main(void) {
  int from = 40;
  OK(gaspi_pcontrol(&from)); /* also before gaspi_proc_init */
  OK(pgaspi_pcontrol(NULL));
  start();
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  memory_of(0)[0] = 42;
  OK(gaspi_write(0, 0, my_rank, 0, 8, 1, 0, GASPI_BLOCK));
  OK(gaspi_read(0, 16, my_rank, 0, 8, 1, 0, GASPI_BLOCK));
  OK(gaspi_wait(0, GASPI_BLOCK));
  REQUIRE(writes == 41 && from == 40 && memory_of(0)[16] == 42);
  finish("profiled");
  return 0;
}
