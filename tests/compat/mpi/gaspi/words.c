/* Calls with a wrong argument say on stderr what is wrong, where they are asked to: by WHERRY_CHECK=1, or with the
   argument "logger" by the configuration. Each returns its error number in any case; those who start this read the
   words. */
#include <string.h>

#include "gaspi_support.h"

int main(int argc, char** argv) {
  gaspi_config_t config, wrong;
  gaspi_atomic_value_t old;
  gaspi_notification_id_t id;
  OK(gaspi_config_get(&config));
  REQUIRE(config.logger == 1); /* silent, unless it is set */
  config.logger = argc > 1 && strcmp(argv[1], "logger") == 0 ? 2 : 1;
  OK(gaspi_config_set(config));
  wrong = config;
  wrong.queue_num = 17;
  GIVES(GASPI_ERR_CONFIG, gaspi_config_set(wrong)); /* also before gaspi_proc_init */
  GIVES(GASPI_ERR_NOINIT, gaspi_wait(0, GASPI_BLOCK));
  start();
  OK(gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  if (my_rank == 1) {
    GIVES(GASPI_ERR_INV_REM_OFF, gaspi_write(0, 0, 0, 0, 1020, 8, 0, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_LOC_OFF, gaspi_read(0, 1021, 0, 0, 0, 8, 0, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_RANK, gaspi_notify(0, 2, 1, 1, 0, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_QUEUE, gaspi_wait(11, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_NUM, gaspi_notify_waitsome(0, 65530, 7, &id, GASPI_BLOCK));
    GIVES(GASPI_ERR_INV_SEG, gaspi_segment_delete(77));
    GIVES(GASPI_ERR_INV_GROUP, gaspi_barrier(9, GASPI_BLOCK));
    GIVES(GASPI_ERR_UNALIGN_OFF, gaspi_atomic_fetch_add(0, 12, 0, 1, &old, GASPI_BLOCK));
    GIVES(GASPI_ERR_NULLPTR, gaspi_group_create(NULL));
  }
  finish("words");
  return 0;
}
