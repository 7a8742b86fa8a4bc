// Heat spreading on a periodic square: the program of the README.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <utility>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true}});
  const auto mine = wherry::owned_box(grid, {512, 512});
  wherry::field<double, 2> now(grid.comm(), mine.extents(), 1), next(grid.comm(), mine.extents(), 1);
  wherry::halo_exchange exchange(grid, {.stencil = wherry::stencil_shape::faces()}, now);

  for_each_point(now.core(), [&](auto& p) { now[p] = mine.lower[0] + p[0] < 256 ? 1.0 : 0.0; });
  for (int step = 0; step < 100; ++step) {
    exchange(now);
    for (long j = 0; j < now.core().extent(1); ++j)
      for (long i = 0; i < now.core().extent(0); ++i)
        next(i, j) = now(i, j) + 0.2 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) - 4 * now(i, j));
    std::swap(now, next);
  }
  if (mpi.rank() == 0) std::printf("after 100 steps on %d ranks: %.6f\n", mpi.size(), now(0, 0));
}
