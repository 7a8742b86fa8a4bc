// The heat conduction of heat.cpp with the field in GPU memory. The host computes the cells, so that every compiler can
// build this program; a solver has a kernel there, and no copies.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  if (wherry::device_in_use() == nullptr) wherry::use_device(&wherry::fake_device());
  wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {false, false}});
  const auto mine = wherry::owned_box(grid, {64, 64});
  const long nx = mine.extent(0), ny = mine.extent(1);
  const std::size_t row = static_cast<std::size_t>(nx + 2), cells = row * static_cast<std::size_t>(ny + 2);

  const auto memory = wherry::make_on_device<double>(cells);  // or what cudaMalloc returns
  wherry::halo_exchange fill(grid, {.stencil = wherry::stencil_shape::faces()},
                             wherry::halo_inside(wherry::view<double, 2>(memory.get(), {nx + 2, ny + 2}), 1));
  std::vector<double> now(cells), next(cells);
  const auto each_cell = [&](auto&& visit) {
    for (long y = 1; y <= ny; ++y)
      for (long x = 1; x <= nx; ++x) visit(static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x));
  };
  each_cell([&](auto at) { now[at] = 1; });
  for (int step = 0; step < 100; ++step) {
    wherry::copy_on_device(memory.get(), now.data(), cells * sizeof(double));
    fill();
    wherry::copy_on_device(now.data(), memory.get(), cells * sizeof(double));
    each_cell([&](auto at) { next[at] = 0.25 * (now[at - 1] + now[at + 1] + now[at - row] + now[at + row]); });
    std::swap(now, next);
  }
  double heat = 0;
  each_cell([&](auto at) { heat += now[at]; });
  heat = wherry::collective::allreduce(grid.comm(), heat);
  if (mpi.rank() == 0) std::printf("mean temperature after 100 steps: %.6f\n", heat / (64 * 64));
}
