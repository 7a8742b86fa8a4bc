/* A program in C: what happens before MPI begins, after it has ended, when an object is never freed, and when an error
 * is final. Argument: which of these. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wherry.h"

typedef struct {
  wherry_communicator comm;
  wherry_process_grid grid;
  wherry_exchange fill;
  double values[12];
} line;

static void make(line* one) {
  const int64_t extent = 12;
  const int periodic[1] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &one->comm));
  wherry_require(wherry_process_grid_create(one->comm, 1, &shape, &one->grid));
  const wherry_field field = wherry_field_inside(wherry_c_array(one->values, WHERRY_FLOAT64, 1, &extent), 1);
  wherry_require(wherry_halo_exchange_create(one->grid, 1, &field, NULL, &one->fill));
}

static void* fail_elsewhere(void* unused) {
  (void)unused;
  if (wherry_last_error()->status != WHERRY_SUCCESS) exit(2);
  wherry_exchange_start(NULL);
  if (wherry_last_error()->status != WHERRY_ERROR_ARGUMENT) exit(3);
  return NULL;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  wherry_communicator none;
  if (wherry_communicator_create(MPI_COMM_WORLD, &none) != WHERRY_ERROR_STATE || none != NULL) return 1;
  printf("before MPI: %s\n", wherry_last_error()->text);
  MPI_Init(&argc, &argv);
  static line one;
  make(&one);
  wherry_require(wherry_exchange_run(one.fill));

  if (strcmp(what, "freed_after_mpi") == 0) {
    MPI_Finalize();
    if (wherry_exchange_start(one.fill) != WHERRY_ERROR_STATE) return 4;
    wherry_require(wherry_communicator_free(&one.comm));
    wherry_require(wherry_exchange_free(&one.fill));
    wherry_require(wherry_process_grid_free(&one.grid));
  } else if (strcmp(what, "freed_in_flight") == 0) {
    wherry_require(wherry_exchange_start(one.fill));
    wherry_require(wherry_process_grid_free(&one.grid));
    wherry_require(wherry_exchange_free(&one.fill)); /* waits */
    wherry_require(wherry_communicator_free(&one.comm));
    MPI_Finalize();
  } else if (strcmp(what, "never_freed") == 0) {
    wherry_require(wherry_exchange_start(one.fill));
    wherry_require(wherry_exchange_wait(one.fill));
    MPI_Finalize();
  } else if (strcmp(what, "errors_of_threads") == 0) {
    pthread_t other;
    if (pthread_create(&other, NULL, fail_elsewhere, NULL) != 0 || pthread_join(other, NULL) != 0) return 5;
    if (wherry_last_error()->status != WHERRY_ERROR_STATE) return 6; /* this thread's own, from before MPI */
    MPI_Finalize();
  } else if (strcmp(what, "final_error") == 0) {
    wherry_require(wherry_exchange_start_with(one.fill, 3, NULL));
  } else {
    return 7;
  }
  puts("ended well");
  return 0;
}
