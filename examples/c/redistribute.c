/* A matrix in slabs of columns becomes one in slabs of rows, and then its transpose, as a parallel FFT needs it. */
#include <mpi.h>
#include <stdio.h>
#include <wherry.h>

/* The number of this rank's cells that do not have the value of `expected`. */
static long wrong(wherry_x_array array, int turned) {
  int blocks;
  long count = 0;
  wherry_require(wherry_x_array_shape(array, NULL, &blocks, NULL, NULL));
  for (int i = 0; i < blocks; ++i) {
    wherry_block block;
    int64_t p[2];
    wherry_require(wherry_x_array_block(array, i, &block));
    for (int more = wherry_first_point(&block.core, p); more; more = wherry_next_point(&block.core, p))
      count += *(float*)wherry_block_at(&block, p, 0) != (float)(turned ? 1000 * p[1] + p[0] : 1000 * p[0] + p[1]);
  }
  return count;
}

int main(int argc, char** argv) {
  const int64_t cells[2] = {60, 40}, turned[2] = {40, 60};
  const int axes[2] = {1, 0};
  int rank, ranks, blocks;
  wherry_communicator comm;
  wherry_floor_plan columns, rows, slabs;
  wherry_x_array a, b, c;
  wherry_motion_plan turn;
  wherry_exchange transpose;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &ranks));
  const int64_t along_x[2] = {ranks, 1}, along_y[2] = {1, ranks};
  wherry_require(wherry_floor_plan_even_blocks(wherry_make_box(2, NULL, cells), along_x, 0, NULL, &columns));
  wherry_require(wherry_floor_plan_even_blocks(wherry_make_box(2, NULL, cells), along_y, 0, NULL, &rows));
  wherry_require(wherry_floor_plan_even_blocks(wherry_make_box(2, NULL, turned), along_y, 0, NULL, &slabs));
  wherry_require(wherry_x_array_create(comm, columns, WHERRY_FLOAT64, NULL, &a));
  wherry_require(wherry_x_array_create(comm, rows, WHERRY_FLOAT32, NULL, &b));
  wherry_require(wherry_x_array_create(comm, slabs, WHERRY_FLOAT32, NULL, &c));

  wherry_require(wherry_x_array_shape(a, NULL, &blocks, NULL, NULL));
  for (int i = 0; i < blocks; ++i) {
    wherry_block block;
    int64_t p[2];
    wherry_require(wherry_x_array_block(a, i, &block));
    for (int more = wherry_first_point(&block.core, p); more; more = wherry_next_point(&block.core, p))
      *(double*)wherry_block_at(&block, p, 0) = (double)(1000 * p[0] + p[1]);
  }
  wherry_require(wherry_redistribute(a, b, NULL)); /* doubles become floats on arrival */
  wherry_require(wherry_motion_plan_transposition(rows, slabs, axes, &turn));
  const wherry_movement movement = {.motions = turn, .source = b, .destination = c};
  wherry_require(wherry_mover_create(comm, 1, &movement, NULL, &transpose)); /* planned once, run any number of times */
  wherry_require(wherry_exchange_run(transpose));

  long mine = wrong(b, 0) + wrong(c, 1), all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d cells redistributed and transposed, %ld are wrong\n", 60 * 40, all);

  wherry_exchange_free(&transpose);
  wherry_motion_plan_free(&turn);
  wherry_x_array_free(&a), wherry_x_array_free(&b), wherry_x_array_free(&c);
  wherry_floor_plan_free(&columns), wherry_floor_plan_free(&rows), wherry_floor_plan_free(&slabs);
  wherry_communicator_free(&comm);
  MPI_Finalize();
  return 0;
}
