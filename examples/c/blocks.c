/* An L-shaped plate of four boxes of different sizes, dealt to the ranks: heat flows in from the edges, which are kept
 * at 1. Component 0 has the values of a step, component 1 those of the next one. */
#include <mpi.h>
#include <stdio.h>
#include <wherry.h>

#define FOR_POINTS(cells, p) for (int more = wherry_first_point(cells, p); more; more = wherry_next_point(cells, p))

static double* at(const wherry_block* block, int64_t x, int64_t y, int component) {
  const int64_t point[2] = {x, y};
  return wherry_block_at(block, point, component);
}

int main(int argc, char** argv) {
  const wherry_box boxes[4] = {
      {2, {0, 0}, {20, 12}}, {2, {20, 0}, {32, 12}}, {2, {0, 12}, {14, 30}}, {2, {14, 12}, {20, 30}}};
  int owners[4], rank, ranks, blocks;
  int64_t p[2];
  double sum = 0, all = 0;
  wherry_block b;
  wherry_communicator comm;
  wherry_floor_plan plan;
  wherry_x_array u;
  wherry_exchange fill;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, &ranks));
  wherry_require(wherry_owners_round_robin(4, ranks, owners));
  wherry_require(wherry_floor_plan_create(2, 4, boxes, owners, &plan));
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  options.ghost_width = wherry_same_widths(1);
  options.components = 2;
  wherry_require(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, &u));
  wherry_require(wherry_ghost_filler_create(u, NULL, NULL, &fill));
  wherry_require(wherry_x_array_shape(u, NULL, &blocks, NULL, NULL));

  for (int i = 0; i < blocks; ++i) {
    wherry_require(wherry_x_array_block(u, i, &b));
    FOR_POINTS(&b.whole, p) * at(&b, p[0], p[1], 0) = *at(&b, p[0], p[1], 1) = 1;
    FOR_POINTS(&b.core, p) * at(&b, p[0], p[1], 0) = 0;
  }
  for (int step = 0; step < 200; ++step) {
    const int now = step % 2, next = 1 - now;
    wherry_require(wherry_exchange_run(fill));
    for (int i = 0; i < blocks; ++i) {
      wherry_require(wherry_x_array_block(u, i, &b));
      FOR_POINTS(&b.core, p)
      *at(&b, p[0], p[1], next) = 0.25 * (*at(&b, p[0] - 1, p[1], now) + *at(&b, p[0] + 1, p[1], now) +
                                          *at(&b, p[0], p[1] - 1, now) + *at(&b, p[0], p[1] + 1, now));
    }
  }
  for (int i = 0; i < blocks; ++i) {
    wherry_require(wherry_x_array_block(u, i, &b));
    FOR_POINTS(&b.core, p) sum += *at(&b, p[0], p[1], 0);
  }
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("mean temperature after 200 steps: %.6f\n", all / (32 * 12 + 20 * 18));

  wherry_exchange_free(&fill);
  wherry_x_array_free(&u);
  wherry_floor_plan_free(&plan);
  wherry_communicator_free(&comm);
  MPI_Finalize();
  return 0;
}
