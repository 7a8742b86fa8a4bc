/* Programs that do not call gaspi_proc_term. "all": all ranks end so, with success, one after the other. "one": rank 0
   exits with 3 while the others wait for it. "return": main returns. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <unistd.h>

#include "gaspi_support.h"

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "all";
  start();
  OK(gaspi_segment_create(0, 64, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED));
  if (strcmp(how, "one") == 0 && my_rank == 0) {
    fprintf(stderr, "rank 0 gives up\n");
    exit(3);
  }
  if (strcmp(how, "one") == 0) take(0, 0); /* nobody sends it */
  if (my_rank == 0) printf("early: %d ranks passed\n", (int)rank_number);
  if (strcmp(how, "return") == 0) return 0;
  usleep(my_rank * 50000U);
  exit(0);
}
