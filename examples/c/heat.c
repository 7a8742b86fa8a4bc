/* Heat conduction on a square with cold edges: each step replaces a cell by the mean of its four neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wherry.h>

/* Rows y0 to y1 and columns x0 to x1 of the next step, counted from 1; the ends are included. */
static void step(const double* u, double* next, int64_t nx, int64_t y0, int64_t y1, int64_t x0, int64_t x1) {
  for (int64_t y = y0; y <= y1; ++y)
    for (int64_t x = x0; x <= x1; ++x) {
      const int64_t at = y * (nx + 2) + x;
      next[at] = 0.25 * (u[at - 1] + u[at + 1] + u[at - nx - 2] + u[at + nx + 2]);
    }
}

int main(int argc, char** argv) {
  const int64_t cells[2] = {64, 64};
  wherry_communicator comm;
  wherry_process_grid grid;
  wherry_box mine;
  wherry_exchange fill;
  void* memory[2];

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_process_grid_create(comm, 2, NULL, &grid));
  wherry_require(wherry_owned_box(grid, 2, cells, NULL, &mine));
  const int64_t ny = mine.upper[0] - mine.lower[0], nx = mine.upper[1] - mine.lower[1];
  const int64_t extents[2] = {ny + 2, nx + 2};

  for (int i = 0; i < 2; ++i)
    wherry_require(wherry_allocate(comm, (size_t)(extents[0] * extents[1]) * sizeof(double), &memory[i]));
  double *u = memory[0], *next = memory[1];
  for (int64_t y = 1; y <= ny; ++y)
    for (int64_t x = 1; x <= nx; ++x) u[y * (nx + 2) + x] = 1;

  const wherry_field field = wherry_field_inside(wherry_c_array(u, WHERRY_FLOAT64, 2, extents), 1);
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  options.stencil = WHERRY_STENCIL_FACES;
  wherry_require(wherry_halo_exchange_create(grid, 1, &field, &options, &fill));
  for (int i = 0; i < 100; ++i) {
    void* const now[1] = {u};
    wherry_require(wherry_exchange_start_with(fill, 1, now));
    step(u, next, nx, 2, ny - 1, 2, nx - 1); /* these cells read no halo */
    wherry_require(wherry_exchange_wait(fill));
    step(u, next, nx, 1, 1, 1, nx);
    step(u, next, nx, ny, ny, 1, nx);
    step(u, next, nx, 2, ny - 1, 1, 1);
    step(u, next, nx, 2, ny - 1, nx, nx);
    double* const last = u;
    u = next;
    next = last;
  }

  double heat = 0, all = 0;
  int rank;
  for (int64_t y = 1; y <= ny; ++y)
    for (int64_t x = 1; x <= nx; ++x) heat += u[y * (nx + 2) + x];
  MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  wherry_require(wherry_communicator_rank(comm, &rank, NULL));
  if (rank == 0) printf("mean temperature after 100 steps: %.6f\n", all / (double)(cells[0] * cells[1]));

  wherry_exchange_free(&fill);
  for (int i = 0; i < 2; ++i) wherry_free(&memory[i]);
  wherry_process_grid_free(&grid);
  wherry_communicator_free(&comm);
  MPI_Finalize();
  return 0;
}
