/* Writes an array to a series of steps, and reads the last step back into other boxes on other ranks. */
#include <mpi.h>
#include <stdio.h>
#include <wherry.h>

static const int64_t extents[3] = {24, 20, 16};

/* Sets this rank's cells to the value of a step, or counts those that differ from it. */
static long visit(wherry_x_array array, int step, int set) {
  int blocks;
  long wrong = 0;
  wherry_require(wherry_x_array_shape(array, NULL, &blocks, NULL, NULL));
  for (int i = 0; i < blocks; ++i) {
    wherry_block block;
    int64_t p[3];
    wherry_require(wherry_x_array_block(array, i, &block));
    for (int more = wherry_first_point(&block.core, p); more; more = wherry_next_point(&block.core, p)) {
      double* value = wherry_block_at(&block, p, 0);
      const double wanted = (double)(p[0] + 24 * (p[1] + 20 * p[2])) + step;
      if (set) *value = wanted;
      wrong += *value != wanted;
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  const char* path = "checkpoint.wherry";
  int rank, ranks, count;
  int64_t steps[8], filled;
  wherry_communicator comm;
  wherry_floor_plan cubes, bricks;
  wherry_x_array u, again;
  wherry_array_series series;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &ranks));
  wherry_require(wherry_floor_plan_decompose(wherry_make_box(3, NULL, extents), ranks, NULL, &cubes));
  wherry_decompose_options options = WHERRY_INIT(wherry_decompose_options);
  for (int d = 0; d < 3; ++d) options.largest[d] = 7;
  wherry_require(wherry_floor_plan_decompose(wherry_make_box(3, NULL, extents), ranks, &options, &bricks));
  wherry_require(wherry_x_array_create(comm, cubes, WHERRY_FLOAT64, NULL, &u));
  wherry_require(wherry_x_array_create(comm, bricks, WHERRY_FLOAT64, NULL, &again));

  if (rank == 0) remove(path);
  MPI_Barrier(MPI_COMM_WORLD);
  wherry_require(wherry_array_series_create(comm, path, &series));
  for (int step = 0; step < 30; step += 10) {
    visit(u, step, 1);
    wherry_require(wherry_array_series_write(series, "field", step, u, NULL, NULL));
  }
  wherry_require(wherry_array_series_steps(series, "field", 8, steps, &count));
  wherry_require(wherry_array_series_read(series, "field", steps[count - 1], again, NULL, NULL, &filled));

  long mine = visit(again, (int)steps[count - 1], 0), all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d steps in the file; %ld cells read, %ld are wrong\n", count, (long)filled, all);

  wherry_array_series_free(&series);
  wherry_x_array_free(&u), wherry_x_array_free(&again);
  wherry_floor_plan_free(&cubes), wherry_floor_plan_free(&bricks);
  wherry_communicator_free(&comm);
  if (rank == 0) remove(path);
  MPI_Finalize();
  return 0;
}
