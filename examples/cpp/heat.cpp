// Heat conduction on a square with cold edges: each step replaces a cell by the mean of its four neighbours.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <utility>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {false, false}});
  const auto mine = wherry::owned_box(grid, {64, 64});
  const long nx = mine.extent(0), ny = mine.extent(1);
  wherry::field<double, 2> now(grid.comm(), mine.extents(), 1), next(grid.comm(), mine.extents(), 1);
  wherry::halo_exchange fill(grid, {.stencil = wherry::stencil_shape::faces()}, now);

  const auto average = [&](long x0, long x1, long y0, long y1) {  // the ends x1 and y1 are excluded
    for (long y = y0; y < y1; ++y)
      for (long x = x0; x < x1; ++x)
        next(x, y) = 0.25 * (now(x - 1, y) + now(x + 1, y) + now(x, y - 1) + now(x, y + 1));
  };

  for_each_point(now.core(), [&](auto& p) { now[p] = 1; });
  for (int step = 0; step < 100; ++step) {
    fill.start(now);
    average(1, nx - 1, 1, ny - 1);  // these cells read no halo
    fill.wait();
    average(0, nx, 0, 1), average(0, nx, ny - 1, ny);
    average(0, 1, 1, ny - 1), average(nx - 1, nx, 1, ny - 1);
    std::swap(now, next);
  }

  double heat = 0;
  for_each_point(now.core(), [&](auto& p) { heat += now[p]; });
  heat = wherry::collective::allreduce(grid.comm(), heat);
  if (mpi.rank() == 0) std::printf("mean temperature after 100 steps: %.6f\n", heat / (64 * 64));
}
