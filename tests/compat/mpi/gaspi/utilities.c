/* What a program asks of the machine, the time, the ranks and the counters. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <unistd.h>

#include "gaspi_support.h"

int main(void) {
  float version = 0;
  OK(gaspi_version(&version));
  REQUIRE(version > 1.59F && version < 1.61F);
  gaspi_time_t first, second;
  OK(gaspi_time_get(&second)); /* the count goes on from before gaspi_proc_init */
  usleep(20000);
  start();
  OK(gaspi_time_get(&first));
  REQUIRE(first - second >= 19.9F);
  gaspi_rank_t local_rank = 99, local_number = 0;
  OK(gaspi_proc_local_rank(&local_rank));
  OK(gaspi_proc_local_num(&local_number));
  REQUIRE(local_number >= 1 && local_number <= rank_number && local_rank < local_number);

  gaspi_cycles_t one, two;
  OK(gaspi_time_get(&first));
  OK(gaspi_time_ticks(&one));
  usleep(20000);
  OK(gaspi_time_get(&second));
  OK(gaspi_time_ticks(&two));
  REQUIRE(second - first >= 19.9F && second - first < 20000 && two > one);

  gaspi_float frequency = -1;
  const gaspi_return_t told = gaspi_cpu_frequency(&frequency);
  REQUIRE(told == GASPI_SUCCESS ? frequency > 0 : told == GASPI_ERROR);
  char machine[16] = "";
  OK(gaspi_machine_type(machine));
  REQUIRE(strlen(machine) > 2);
  gaspi_uchar socket = 0;
  unsetenv("GASPI_SET_NUMA_SOCKET");
  GIVES(GASPI_ERR_ENV, gaspi_numa_socket(&socket));
  setenv("GASPI_SET_NUMA_SOCKET", "0", 1);
  GIVES(GASPI_ERR_ENV, gaspi_numa_socket(&socket));
  setenv("GASPI_SET_NUMA_SOCKET", "1", 1); /* as gaspi_run -N does */
  OK(gaspi_numa_socket(&socket));
  gaspi_delay();
  gaspi_config_t config;
  OK(gaspi_config_get(&config));
  REQUIRE(config.network != GASPI_OFI && config.dev_config.params.ofi.use_shm == 1 &&
          config.dev_config.params.ofi.provider_info == 0 && config.dev_config.params.ofi.progress_auto == 1);
  GIVES(GASPI_ERROR, gaspi_set_socket_affinity(250));
  gaspi_print_affinity_mask();

  gaspi_string_t text = NULL;
  OK(gaspi_print_error(GASPI_ERR_INV_RANK, &text));
  REQUIRE(strcmp(text, gaspi_error_str(GASPI_ERR_INV_RANK)) == 0 && strstr(text, "rank") != NULL);
  free(text);
  for (int number = GASPI_ERROR; number <= GASPI_ERR_MEMALLOC; ++number)
    for (int other = GASPI_ERROR; other < number; ++other)
      REQUIRE(strcmp(gaspi_error_str((gaspi_return_t)number), gaspi_error_str((gaspi_return_t)other)) != 0 ||
              number == GASPI_ERR_MEMALLOC);
  REQUIRE(gaspi_error_str((gaspi_return_t)30) != NULL);

  gaspi_state_t health[64];
  OK(gaspi_state_vec_get(health));
  for (int rank = 0; rank < rank_number; ++rank) {
    REQUIRE(health[rank] == GASPI_STATE_HEALTHY);
    if (rank != my_rank) OK(gaspi_proc_ping((gaspi_rank_t)rank, 20000));
  }

  /* Counters count when they are asked to. */
  OK(gaspi_segment_create(0, 1024, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  gaspi_number_t counters = 0, level = 0;
  OK(gaspi_statistic_counter_max(&counters));
  REQUIRE(counters == 4);
  unsigned long value = 99;
  OK(gaspi_write(0, 0, 0, 0, 512, 100, 0, GASPI_BLOCK));
  OK(gaspi_statistic_counter_get(0, 0, &value));
  REQUIRE(value == 0);
  OK(gaspi_statistic_verbosity_level(1));
  OK(gaspi_write(0, 0, 0, 0, 512, 100, 0, GASPI_BLOCK));
  OK(gaspi_write_notify(0, 0, my_rank, 0, 512, 50, 0, 1, 0, GASPI_BLOCK));
  OK(gaspi_read(0, 0, 0, 0, 512, 30, 0, GASPI_BLOCK));
  const unsigned long expected[4] = {150, 30, 1, 0};
  for (gaspi_statistic_counter_t c = 0; c < counters; ++c) {
    gaspi_statistic_argument_t argument;
    gaspi_string_t name = NULL, description = NULL;
    OK(gaspi_statistic_counter_info(c, &argument, &name, &description, &level));
    REQUIRE(argument == GASPI_STATISTIC_ARGUMENT_NONE && strlen(name) > 3 && strlen(description) > 10 && level == 1);
    OK(gaspi_statistic_counter_get(c, 0, &value));
    REQUIRE(value == expected[c]);
    OK(gaspi_statistic_counter_reset(c));
    OK(gaspi_statistic_counter_get(c, 0, &value));
    REQUIRE(value == 0);
  }
  OK(gaspi_wait(0, GASPI_BLOCK));
  gaspi_printf("rank %d says %s\n", my_rank, "something");
  gaspi_printf_to(0, "and to %d\n", 0);
  finish("utilities");
  return 0;
}
