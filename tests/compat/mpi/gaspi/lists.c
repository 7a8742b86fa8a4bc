/* Lists of writes and reads between segments of different ids, sizes and places. */
#include <string.h>

#include "gaspi_support.h"

enum { pieces = 200 };

int main(void) {
  start();
  const gaspi_rank_t next = (gaspi_rank_t)((my_rank + 1) % rank_number);
  const gaspi_rank_t before = (gaspi_rank_t)((my_rank + rank_number - 1) % rank_number);
  gaspi_number_t most;
  OK(gaspi_rw_list_elem_max(&most));
  REQUIRE(most >= pieces);
  for (gaspi_segment_id_t id = 10; id < 14; ++id)
    OK(gaspi_segment_create(id, 1 << 16, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));

  gaspi_segment_id_t from[pieces], to[pieces];
  gaspi_offset_t from_at[pieces], to_at[pieces];
  gaspi_size_t bytes[pieces];
  for (int i = 0; i < pieces; ++i) {
    from[i] = (gaspi_segment_id_t)(10 + i % 2);
    to[i] = (gaspi_segment_id_t)(12 + i / 7 % 2);
    from_at[i] = (gaspi_offset_t)i * 320;
    to_at[i] = (gaspi_offset_t)(pieces - 1 - i) * 320;
    bytes[i] = (gaspi_size_t)(i % 4 == 0 ? 0 : 1 + i * 7 % 320);
    memset(memory_of(from[i]) + from_at[i], (i + my_rank) % 251 + 1, bytes[i]);
  }
  OK(gaspi_write_list_notify(pieces, from, from_at, next, to, to_at, bytes, 11, 77, 4711, 0, GASPI_BLOCK));
  REQUIRE(take(11, 77) == 4711);
  for (int i = 0; i < pieces; ++i) {
    const unsigned char* const come = memory_of(to[i]) + to_at[i];
    for (unsigned b = 0; b < bytes[i]; ++b) REQUIRE(come[b] == (i + before) % 251 + 1);
    REQUIRE(come[bytes[i]] == 0);
  }
  OK(gaspi_wait(0, GASPI_BLOCK));
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));

  /* The same back by reads: what the next rank got from me. */
  for (int i = 0; i < pieces; ++i) memset(memory_of(from[i]) + from_at[i], 0, bytes[i]);
  OK(gaspi_read_list(pieces, from, from_at, next, to, to_at, bytes, 3, GASPI_BLOCK));
  OK(gaspi_wait(3, GASPI_BLOCK));
  for (int i = 0; i < pieces; ++i)
    for (unsigned b = 0; b < bytes[i]; ++b) REQUIRE(memory_of(from[i])[from_at[i] + b] == (i + my_rank) % 251 + 1);

  for (int i = 0; i < pieces; ++i) memset(memory_of(from[i]) + from_at[i], 0, bytes[i]);
  OK(gaspi_read_list_notify(pieces, from, from_at, next, to, to_at, bytes, 12, 9, 3, GASPI_BLOCK));
  REQUIRE(take(12, 9) == 1);
  for (int i = 0; i < pieces; ++i)
    for (unsigned b = 0; b < bytes[i]; ++b) REQUIRE(memory_of(from[i])[from_at[i] + b] == (i + my_rank) % 251 + 1);

  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK)); /* nobody reads any more */
  OK(gaspi_write_list(3, from + 1, from_at + 1, before, to + 1, to_at + 1, bytes + 1, 2, GASPI_BLOCK));
  OK(gaspi_notify(13, before, 65535, 4294967295U, 2, GASPI_BLOCK));
  REQUIRE(take(13, 65535) == 4294967295U);
  for (int i = 1; i < 4; ++i)
    for (unsigned b = 0; b < bytes[i]; ++b) REQUIRE(memory_of(to[i])[to_at[i] + b] == (i + next) % 251 + 1);
  OK(gaspi_wait(2, GASPI_BLOCK));
  finish("lists");
  return 0;
}
