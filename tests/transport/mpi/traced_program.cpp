// Two halo exchanges with names, one without, a deep copy and a notified write, for the trace and the statistics.
#include <cstdio>
#include <vector>

#include "wherry/wherry.hpp"

namespace {

struct listed {
  std::vector<double> values;
  template <class Message> void describe(Message& m) { m(values); }
};

}  // namespace

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
  wherry::field<double, 1> u(grid.comm(), {10}, 2);
  wherry::field<float, 1> v(grid.comm(), {10}, 1);
  wherry::halo_exchange pressure(grid, {.carry = {.name = "pressure"}}, u);
  wherry::halo_exchange velocity(grid, {.carry = {.name = "velocity"}}, v);
  wherry::halo_exchange both(grid, u, v);
  for (int step = 0; step < 3; ++step) {
    pressure();
    velocity();
  }
  both();
  listed mine;
  if (mpi.rank() == 0) mine.values.assign(1000, 0.5);
  wherry::deep::broadcast(MPI_COMM_WORLD, 0, mine);
  wherry::segment<double> ring(MPI_COMM_WORLD, 10);
  ring.write_notify((mpi.rank() + 1) % mpi.size(), 0, std::vector<double>(10, mpi.rank()), 0);
  ring.wait(0);
  if (mpi.rank() == 0) std::printf("%s%s", pressure.explain().c_str(), velocity.explain().c_str());
}
