/* Particles fly through a periodic box; then each counts the particles that are near it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wherry.h>

enum { particles = 2000 };
static const double cutoff = 0.1;

int main(int argc, char** argv) {
  wherry_communicator comm;
  wherry_process_grid grid;
  wherry_particle_exchange migrate;
  wherry_ghost_particles ghosts;
  int rank;

  MPI_Init(&argc, &argv);
  wherry_require(wherry_communicator_create(MPI_COMM_WORLD, &comm));
  wherry_require(wherry_communicator_rank(comm, &rank, NULL));
  const int periodic[2] = {1, 1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  wherry_require(wherry_process_grid_create(comm, 2, &shape, &grid));
  const wherry_particle_space box = {.dimensions = 2, .upper = {1, 1}};
  wherry_require(wherry_particle_exchange_create(grid, NULL, &box, NULL, &migrate));

  wherry_particle_array p[2]; /* positions, velocities */
  for (int a = 0; a < 2; ++a) {
    p[a] = wherry_growing_array(WHERRY_FLOAT64, 2);
    p[a].count = p[a].capacity = rank == 0 ? particles : 0; /* all begin on rank 0 */
    p[a].data = malloc((size_t)p[a].count * 2 * sizeof(double));
  }
  for (int64_t i = 0; i < p[0].count; ++i) {
    const double k = (double)(i + 1);
    double *const x = (double*)p[0].data + 2 * i, *const v = (double*)p[1].data + 2 * i;
    x[0] = fmod(0.754877666 * k, 1), x[1] = fmod(0.569840291 * k, 1);
    v[0] = 0.1 * fmod(0.819172513 * k, 1) - 0.05, v[1] = 0.1 * fmod(0.671043607 * k, 1) - 0.05;
  }
  for (int step = 0; step < 20; ++step) {
    double* const x = p[0].data;
    const double* const v = p[1].data;
    for (int64_t i = 0; i < 2 * p[0].count; ++i) x[i] += v[i];
    wherry_require(wherry_particle_exchange_run(migrate, NULL, 2, p, NULL));
  }

  int64_t mine, copies;
  long pairs = 0, all = 0;
  wherry_require(wherry_ghost_particles_create(migrate, cutoff, NULL, &ghosts));
  wherry_require(wherry_ghost_particles_plan(ghosts, NULL, 1, p)); /* the ghosts come behind my particles */
  wherry_require(wherry_ghost_particles_count(ghosts, &mine, &copies));
  const double* const x = p[0].data;
  for (int64_t i = 0; i < mine; ++i)
    for (int64_t j = 0; j < mine + copies; ++j) {
      const double dx = x[2 * i] - x[2 * j], dy = x[2 * i + 1] - x[2 * j + 1];
      pairs += i != j && dx * dx + dy * dy < cutoff * cutoff;
    }
  MPI_Reduce(&pairs, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("neighbours of a particle: %.3f\n", (double)all / particles);

  wherry_ghost_particles_free(&ghosts);
  wherry_particle_exchange_free(&migrate);
  wherry_process_grid_free(&grid);
  wherry_communicator_free(&comm);
  for (int a = 0; a < 2; ++a) free(p[a].data);
  MPI_Finalize();
  return 0;
}
