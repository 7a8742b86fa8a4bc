/* Every rank asks every rank for a number; each serves as many requests as there are ranks. */
#include <string.h>

#include "gaspi_support.h"

int main(void) {
  start();
  OK(gaspi_segment_create(0, 1 << 17, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  unsigned char* const mine = memory_of(0);
  gaspi_rank_t from = 999;
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &from, 8, GASPI_TEST));
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &from, 8, 20));
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

  gaspi_size_t most;
  OK(gaspi_passive_transfer_size_max(&most));
  for (gaspi_rank_t to = 0; to < rank_number; ++to) {
    mine[0] = (unsigned char)(my_rank * 16 + to);
    mine[99] = 0xee;
    OK(gaspi_passive_send(0, 0, to, 100, GASPI_BLOCK));
  }
  unsigned char seen[256] = {0};
  for (int i = 0; i < rank_number; ++i) {
    memset(mine + 1000, 0, 200);
    OK(gaspi_passive_receive(0, 1000, &from, 200, GASPI_BLOCK));
    REQUIRE(from < rank_number && !seen[from]);
    seen[from] = 1;
    REQUIRE(mine[1000] == (unsigned char)(from * 16 + my_rank) && mine[1099] == 0xee && mine[1100] == 0);
  }
  GIVES(GASPI_TIMEOUT, gaspi_passive_receive(0, 0, &from, 8, GASPI_TEST));
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

  /* As large as it may be; a place that is too small leaves it there. */
  const gaspi_rank_t next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  for (gaspi_size_t i = 0; i < most; ++i) mine[i] = (unsigned char)(i * 31 + my_rank);
  OK(gaspi_passive_send(0, 0, next, most, GASPI_BLOCK));
  gaspi_return_t told;
  do told = gaspi_passive_receive(0, 1 << 16, &from, 8, 1000);
  while (told == GASPI_TIMEOUT);
  REQUIRE(told == GASPI_ERR_INV_SIZE);
  OK(gaspi_passive_receive(0, 1 << 16, &from, most, GASPI_BLOCK));
  REQUIRE(from == (my_rank + rank_number - 1) % rank_number);
  for (gaspi_size_t i = 0; i < most; ++i) REQUIRE(mine[(1 << 16) + i] == (unsigned char)(i * 31 + from));
  finish("passive");
  return 0;
}
