// A ghost-cell fill of irregular blocks with KeLP's names, and with Wherry's. The program checks that both give the
// same bits. docs/howto/port_older_systems.md shows the two parts between [ and ].
#include <wherry/wherry.hpp>

#include <cstdio>
#include <vector>

#include "kelp/kelp.hpp"

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const kelp::KelpConfig config(MPI_COMM_WORLD);
  const std::vector<wherry::box<2>> boxes{{{0, 0}, {7, 4}}, {{7, 0}, {12, 2}}, {{7, 2}, {12, 8}}, {{0, 4}, {7, 8}}};
  std::vector<int> owners;
  for (int i = 0; i < int(boxes.size()); ++i) owners.push_back(i % mpi.size());

  // [before
  using namespace kelp;
  FloorPlan2 F(int(boxes.size()));
  for (int i = 0; i < F.size(); ++i) {
    F.setregion(i, grow(Region2(boxes[i]), 1));
    F.setowner(i, owners[i]);
  }
  XArray2<Grid2<double>> U(F);
  MotionPlan2 M;
  for (indexIterator ii(F); ii; ++ii)
    for (indexIterator jj(F); jj; ++jj) {
      if (ii() == jj()) continue;
      const Region2 R = grow(F(ii()), -1) * F(jj());
      M.Copy(F(ii()) * R, F(jj()) * R);
    }
  Mover2<Grid2<double>, double> fill(U, U, M);
  // before]
  const auto start_value = [](int number, const auto& p) { return 100 * number + 10 * double(p[0]) + double(p[1]); };
  for (nodeIterator ni(F); ni; ++ni)
    wherry::for_each_point(boxes[ni()], [&](const auto& p) { U(ni())[p] = start_value(ni(), p); });
  fill.start();
  fill.wait();

  // [after
  wherry::communicator comm(MPI_COMM_WORLD);
  wherry::floor_plan<2> plan(boxes, owners);
  wherry::x_array<double, 2> u(comm, plan, {.ghost_width = 1});
  auto filler = wherry::ghost_filler(u, wherry::domain<2>::open({{0, 0}, {12, 8}}));
  // after]
  for (const auto& [number, cells, values] : u.blocks())
    wherry::for_each_point(cells, [&, n = number](const auto& p) { u[n][p] = start_value(n, p); });
  filler();

  int different = 0;
  for (nodeIterator ni(F); ni; ++ni)
    wherry::for_each_point(F(ni()).box(), [&](const auto& p) { different += U(ni())[p] != u[ni()][p]; });
  different = wherry::collective::allreduce(MPI_COMM_WORLD, different);
  if (mpi.rank() == 0) std::printf("from_kelp: %s\n", different == 0 ? "the same bits" : "DIFFERENT");
  return different == 0 ? 0 : 1;
}
