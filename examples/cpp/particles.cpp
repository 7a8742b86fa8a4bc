// Particles fly through a periodic box; then each counts the particles that are near it.
#include <wherry/wherry.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  constexpr double cutoff = 0.1;
  constexpr int particles = 2000;
  wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true}});
  wherry::particle_exchange<2> migrate(grid, wherry::particle_space<2>{.lower = {0, 0}, .upper = {1, 1}});

  std::vector<double> x, y, vx, vy;
  const auto part = [](double factor, int i) { return factor * i - std::floor(factor * i); };
  for (int i = 1; mpi.rank() == 0 && i <= particles; ++i) {  // all begin on rank 0
    x.push_back(part(0.754877666, i)), y.push_back(part(0.569840291, i));
    vx.push_back(0.1 * part(0.819172513, i) - 0.05), vy.push_back(0.1 * part(0.671043607, i) - 0.05);
  }
  for (int step = 0; step < 20; ++step) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += vx[i], y[i] += vy[i];
    migrate(wherry::by_position(x, y), vx, vy);
  }

  wherry::ghost_particles<2> ghosts(migrate, cutoff);
  const std::size_t mine = x.size();
  ghosts.plan(wherry::by_position(x, y));  // the ghosts come behind my particles
  long near = 0;
  for (std::size_t i = 0; i < mine; ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      near += i != j && (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) < cutoff * cutoff;
  near = wherry::collective::allreduce(grid.comm(), near);
  if (mpi.rank() == 0) std::printf("neighbours of a particle: %.3f\n", double(near) / particles);
}
