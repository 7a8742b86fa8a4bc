/* gaspi_proc_init and gaspi_proc_term, again and again, with MPI that nobody else has started. */
#include "gaspi_support.h"

int main(void) {
  for (int round = 0; round < 4; ++round) {
    gaspi_number_t is_here = 0;
    start();
    OK(gaspi_initialized(&is_here));
    REQUIRE(is_here == 1);
    OK(gaspi_segment_create(1, 100, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
    OK(gaspi_notify(1, (gaspi_rank_t)((my_rank + 1) % rank_number), 2, 3, 0, GASPI_BLOCK));
    REQUIRE(take(1, 2) == 3);
    OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
    OK(gaspi_proc_term(GASPI_BLOCK));
    OK(gaspi_initialized(&is_here));
    REQUIRE(is_here == 0);
  }
  start();
  finish("twice");
  return 0;
}
