/* A child of fork() may call nothing of GASPI's, and its end ends nothing: "exit" with success, "fail" with a failure.
 */
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gaspi_support.h"

static void call_all(void) {
  gaspi_notification_id_t first = 0;
  gaspi_notification_t value = 0;
  gaspi_rank_t from = 0;
  long in = 100, out = 0;
  GIVES(GASPI_ERROR, gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_allreduce(&in, &out, 1, GASPI_OP_SUM, GASPI_TYPE_LONG, GASPI_GROUP_ALL, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_write_notify(0, 0, 0, 0, 8, 8, 0, 1, 0, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_notify_waitsome(0, 0, 1, &first, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_notify_reset(0, 0, &value));
  GIVES(GASPI_ERROR, gaspi_wait(0, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_passive_receive(0, 0, &from, 8, GASPI_BLOCK));
  GIVES(GASPI_ERROR, gaspi_segment_delete(0));
  GIVES(GASPI_ERROR, gaspi_proc_term(GASPI_BLOCK));
}

int main(int argc, char** argv) {
  const int fails = argc > 1 && strcmp(argv[1], "fail") == 0;
  start();
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  if (my_rank == 0) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
      call_all();
      exit(fails ? 3 : 0);
    }
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == (fails ? 3 : 0));
  }
  long in = my_rank + 1, out = 0;
  OK(gaspi_allreduce(&in, &out, 1, GASPI_OP_SUM, GASPI_TYPE_LONG, GASPI_GROUP_ALL, GASPI_BLOCK));
  REQUIRE(out == (long)rank_number * (rank_number + 1) / 2);
  OK(gaspi_notify(0, (gaspi_rank_t)((my_rank + 1) % rank_number), 0, 7, 0, GASPI_BLOCK));
  REQUIRE(take(0, 0) == 7);
  finish("forked");
}
