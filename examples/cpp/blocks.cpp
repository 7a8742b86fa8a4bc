// An L-shaped plate of four boxes of different sizes, dealt to the ranks: heat flows in from the edges, which are kept
// at 1.
#include <wherry/wherry.hpp>

#include <cstdio>
#include <utility>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  wherry::communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  const wherry::floor_plan<2> plan({{{0, 0}, {20, 12}}, {{20, 0}, {32, 12}}, {{0, 12}, {14, 30}}, {{14, 12}, {20, 30}}},
                                   {0, 1 % ranks, 2 % ranks, 3 % ranks});
  wherry::x_array<double, 2> now(comm, plan, {.ghost_width = 1}), next(comm, plan, {.ghost_width = 1});
  const wherry::domain<2> space{{{0, 0}, {32, 30}}};  // it ends: nothing is periodic
  auto fill = wherry::ghost_filler(now, space);

  for (auto* u : {&now, &next})
    for (const auto& [number, cells, values] : u->blocks()) {
      for_each_point(grow(cells, 1), [&](auto& p) { values[p] = 1; });  // the edges of the plate are ghost cells, too
      for_each_point(cells, [&](auto& p) { values[p] = 0; });
    }
  for (int step = 0; step < 200; ++step) {
    fill(now, now);
    for (const auto& [number, cells, u] : now.blocks()) {
      const auto& v = next[number];
      for_each_point(cells, [&](auto& p) {
        v[p] = 0.25 * (u(p[0] - 1, p[1]) + u(p[0] + 1, p[1]) + u(p[0], p[1] - 1) + u(p[0], p[1] + 1));
      });
    }
    std::swap(now, next);
  }

  double heat = 0;
  for (const auto& [number, cells, u] : now.blocks()) for_each_point(cells, [&](auto& p) { heat += u[p]; });
  heat = wherry::collective::allreduce(comm, heat);
  if (comm.rank() == 0) std::printf("mean temperature after 200 steps: %.6f\n", heat / (32 * 12 + 20 * 18));
}
