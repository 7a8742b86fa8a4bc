/* What the programs with time limits share. Rank 0 is late: segment 0 has its notifications, 200 and on. */
#ifndef LATE_SUPPORT_H
#define LATE_SUPPORT_H

#include <unistd.h> /* usleep: define _DEFAULT_SOURCE first */

#include "gaspi_support.h"

static inline gaspi_time_t now(void) {
  gaspi_time_t time;
  OK(gaspi_time_get(&time));
  return time;
}

/* Repeats a call until it is done. Its time is up at least once: rank 0 waits until it hears so. */
#define REPEAT(call)                                                             \
  do {                                                                           \
    gaspi_return_t told;                                                         \
    int times = 0;                                                               \
    for (; (told = (call)) != GASPI_SUCCESS; ++times) {                          \
      REQUIRE(told == GASPI_TIMEOUT);                                            \
      if (times == 0) OK(gaspi_notify(0, 0, 200U + my_rank, 1, 0, GASPI_BLOCK)); \
      usleep(1000);                                                              \
    }                                                                            \
    REQUIRE(times > 0);                                                          \
  } while (0)

static inline void wait_until_all_have_timed_out(void) {
  for (gaspi_rank_t rank = 1; rank < rank_number; ++rank) REQUIRE(take(0, 200U + rank) == 1);
}

/* Repeats a call until it is done; each time it comes back, although the other rank makes no call for 1.5 s. */
#define IN_TIME(call)                   \
  do {                                  \
    gaspi_return_t told;                \
    do {                                \
      const gaspi_time_t began = now(); \
      told = (call);                    \
      REQUIRE(now() - began < 1200);    \
    } while (told == GASPI_TIMEOUT);    \
    REQUIRE(told == GASPI_SUCCESS);     \
  } while (0)

#endif
