/* Limits of the configuration beyond GPI-2's: allowed, or refused with WHERRY_GASPI_LIMITS=1. */
#include <string.h>

#include "gaspi_support.h"

int main(int argc, char** argv) {
  const int expected = argc > 1 && strcmp(argv[1], "refused") == 0 ? GASPI_ERR_CONFIG : GASPI_SUCCESS;
  gaspi_config_t usual, other;
  OK(gaspi_config_get(&usual));
  other = usual;
  other.rw_list_elem_max = 256;
  GIVES(expected, gaspi_config_set(other));
  other = usual;
  other.queue_size_max = 4097;
  GIVES(expected, gaspi_config_set(other));
  other = usual;
  other.passive_transfer_size_max = 65536;
  GIVES(expected, gaspi_config_set(other));
  other = usual;
  other.rw_list_elem_max = 155;
  OK(gaspi_config_set(other));
  start();
  gaspi_number_t most = 0;
  OK(gaspi_rw_list_elem_max(&most));
  REQUIRE(most == 155);
  finish("limits");
  return 0;
}
