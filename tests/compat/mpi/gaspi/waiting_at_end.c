/* A thread waits for what never comes while main ends by gaspi_proc_term, or by returning. waiting_at_end WHAT
 * term|return
 */
#include <GASPI_Threads.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "gaspi_support.h"

static const char* what;
static gaspi_return_t told = GASPI_SUCCESS;
static gaspi_group_t pair;

static gaspi_return_t wait_in_vain(void) {
  const gaspi_rank_t other = (gaspi_rank_t)(1 - my_rank);
  gaspi_rank_t from;
  gaspi_notification_id_t id;
  double one = 1, sum;
  if (strcmp(what, "passive") == 0) return gaspi_passive_receive(0, 0, &from, 8, GASPI_BLOCK);
  if (strcmp(what, "waitsome") == 0) return gaspi_notify_waitsome(0, 0, 1, &id, GASPI_BLOCK);
  if (strcmp(what, "barrier") == 0) return gaspi_barrier(pair, GASPI_BLOCK);
  if (strcmp(what, "allreduce") == 0)
    return gaspi_allreduce(&one, &sum, 1, GASPI_OP_SUM, GASPI_TYPE_DOUBLE, pair, GASPI_BLOCK);
  if (strcmp(what, "passive_send") == 0) {
    gaspi_return_t sent = GASPI_SUCCESS;
    while (sent == GASPI_SUCCESS) sent = gaspi_passive_send(0, 0, other, 60000, GASPI_BLOCK);
    return sent;
  }
  if (strcmp(what, "group") == 0) {
    gaspi_group_t more;
    const gaspi_return_t made = gaspi_group_create(&more);
    if (made != GASPI_SUCCESS) return made;
    OK(gaspi_group_add(more, 0));
    OK(gaspi_group_add(more, 1));
    return gaspi_group_commit(more, GASPI_BLOCK);
  }
  if (strcmp(what, "segment") == 0) return gaspi_segment_create(7, 100, pair, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
  if (strcmp(what, "wait") == 0) {
    gaspi_return_t done = GASPI_SUCCESS;
    while (done == GASPI_SUCCESS) {
      done = gaspi_write_notify(0, 0, other, 0, 64, 64, 5, 1, 0, GASPI_BLOCK);
      if (done == GASPI_SUCCESS || done == GASPI_QUEUE_FULL) done = gaspi_wait(0, GASPI_BLOCK);
    }
    return done;
  }
  return gaspi_threads_sync_all(GASPI_GROUP_ALL, GASPI_BLOCK);
}

static void* serve(void* none) {
  (void)none;
  told = wait_in_vain();
  /* A program that does not look at what it is told goes on asking. */
  for (int i = 0; i < 1000; ++i) wait_in_vain();
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc != 3) return 2;
  what = argv[1];
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  config.passive_queue_size_max = 2;
  OK(gaspi_config_set(config));
  start();
  OK(gaspi_threads_init_user(2));
  OK(gaspi_segment_create(0, 65536, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  OK(gaspi_group_create(&pair));
  OK(gaspi_group_add(pair, 0));
  OK(gaspi_group_add(pair, 1));
  OK(gaspi_group_commit(pair, GASPI_BLOCK));
  /* What is collective waits for rank 1, which never comes. */
  const int waits_alone = strcmp(what, "barrier") == 0 || strcmp(what, "allreduce") == 0 ||
                          strcmp(what, "group") == 0 || strcmp(what, "segment") == 0 ||
                          strcmp(what, "passive_send") == 0;
  const int is_threaded = !waits_alone || my_rank == 0;
  if (is_threaded) pthread_create(&thread, NULL, serve, NULL);
  usleep(100000);
  OK(gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK));
  if (strcmp(argv[2], "term") == 0) {
    OK(gaspi_proc_term(GASPI_BLOCK));
    if (is_threaded) {
      pthread_join(thread, NULL);
      REQUIRE(told != GASPI_SUCCESS && told != GASPI_TIMEOUT);
    }
  } else if (is_threaded) {
    pthread_detach(thread);
  }
  printf("rank %d is at its end\n", (int)my_rank);
  fflush(stdout);
  return 0;
}
