/* What the GASPI programs of these tests share. They are C, and include nothing but GASPI's own headers, as a user's.
 */
#ifndef GASPI_SUPPORT_H
#define GASPI_SUPPORT_H

#include <GASPI.h>
#include <GASPI_Ext.h>
#include <stdio.h>
#include <stdlib.h>

static gaspi_rank_t my_rank, rank_number;

static void fail_at(int line, const char* what) {
  fprintf(stderr, "[rank %d of %d] line %d: %s\n", (int)my_rank, (int)rank_number, line, what);
  exit(1);
}

static inline void check_returns(int line, const char* call, int got, int expected) {
  if (got == expected) return;
  fprintf(stderr, "[rank %d of %d] line %d: %s returned %d (%s), expected %d\n", (int)my_rank, (int)rank_number, line,
          call, got, gaspi_error_str((gaspi_return_t)got), expected);
  exit(1);
}

#define GIVES(expected, call) check_returns(__LINE__, #call, (int)(call), (int)(expected))
#define OK(call) GIVES(GASPI_SUCCESS, call)
#define REQUIRE(condition)                                      \
  do {                                                          \
    if (!(condition)) fail_at(__LINE__, "not so: " #condition); \
  } while (0)

static inline void start(void) {
  OK(gaspi_proc_init(GASPI_BLOCK));
  OK(gaspi_proc_rank(&my_rank));
  OK(gaspi_proc_num(&rank_number));
}

/* All ranks have passed all their checks. */
static inline void finish(const char* name) {
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (my_rank == 0) printf("%s: %d ranks passed\n", name, (int)rank_number);
  fflush(stdout);
  OK(gaspi_proc_term(GASPI_BLOCK));
}

static inline unsigned char* memory_of(gaspi_segment_id_t id) {
  gaspi_pointer_t memory = NULL;
  OK(gaspi_segment_ptr(id, &memory));
  return (unsigned char*)memory;
}

/* Waits for one notification and takes it. */
static inline gaspi_notification_t take(gaspi_segment_id_t segment, gaspi_notification_id_t id) {
  gaspi_notification_id_t first = 0;
  gaspi_notification_t value = 0;
  OK(gaspi_notify_waitsome(segment, id, 1, &first, GASPI_BLOCK));
  REQUIRE(first == id);
  OK(gaspi_notify_reset(segment, id, &value));
  return value;
}

#endif
