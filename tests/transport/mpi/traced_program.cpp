// Halo exchanges, segments and layouts with names and without, deep copies in all ways, and collectives, for the trace
// and the statistics.
#include <cstdio>
#include <vector>

#include "wherry/wherry.hpp"

namespace {

struct listed {
  std::vector<double> values;
  template <class Message> void describe(Message& m) { m(values); }
};

/// From each rank to the next, one after the other; once as one message, once as windows.
void pass_on_in_a_chain(int rank, int size) {
  for (const std::size_t count : {std::size_t{10}, std::size_t{100000}}) {
    const std::vector<double> mine(count, rank);
    if (rank > 0) wherry::deep::receive<std::vector<double>>(MPI_COMM_WORLD, MPI_ANY_SOURCE);
    if (rank + 1 < size) wherry::deep::send(MPI_COMM_WORLD, mine, rank + 1);
  }
}

/// What is packed first: to the next rank in a ring, and to all.
void copy_in_flight(int rank, int size) {
  const std::vector<double> mine(30000, rank);
  std::vector<double> next, all;
  if (rank == size - 1) all = mine;
  auto sent = wherry::deep::start_send(MPI_COMM_WORLD, mine, (rank + 1) % size);
  auto received = wherry::deep::start_receive(MPI_COMM_WORLD, next, (rank + size - 1) % size);
  auto to_all = wherry::deep::start_bcast(MPI_COMM_WORLD, all, size - 1);
  sent.wait();
  received.wait();
  to_all.wait();
}

/// At once, in two phases, again and again; and one that falls through to MPI.
void call_collectives() {
  namespace collective = wherry::collective;
  using collective::call;
  std::vector<double> mine(3, 1.0), sum(3);
  const auto sums = call::allreduce(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) collective::run(sums, "recursive_doubling");
  auto begun =
      collective::start(call::bcast(mine.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD), {.implementation = "binomial"});
  begun.wait();
  collective::persistent again(sums, {.implementation = "ring"});
  for (int i = 0; i < 3; ++i) again();
  collective::run(call::scan(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), "ring");
}

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
  wherry::deep::bcast(MPI_COMM_WORLD, mine, 0);
  pass_on_in_a_chain(mpi.rank(), mpi.size());
  copy_in_flight(mpi.rank(), mpi.size());
  std::vector<std::vector<double>> parts, gathered;
  wherry::deep::allgather(MPI_COMM_WORLD, std::vector<double>(20000, mpi.rank()), parts);
  wherry::deep::gather(MPI_COMM_WORLD, std::vector<double>(20000, mpi.rank()), gathered, 0);
  wherry::segment<double> ring(MPI_COMM_WORLD, 10, {.name = "ring"}), other(MPI_COMM_WORLD, 10, {.name = "other"});
  const int next = (mpi.rank() + 1) % mpi.size();
  std::vector<double> ten(10, mpi.rank());
  for (const int id : {0, 1}) {
    ring.write_notify(next, 0, ten, id);
    ring.wait(id);
  }
  other.write_notify(next, 0, ten, 0);
  other.wait(0);
  ring.write_in_pieces(next, 0, ten, 2);
  ring.copy_out(0, ten, 2);
  wherry::published_layouts layouts(grid.comm(), pressure.schedule(), {.name = "rims"});
  void* const now[] = {u.data()};
  layouts.publish(now);
  layouts.read(now);
  layouts.await_readers();
  call_collectives();
  if (mpi.rank() != 0) return 0;
  for (const auto& said : {pressure.explain(), velocity.explain(), layouts.explain(), ring.explain() + '\n',
                           other.explain() + '\n', wherry::explain_streams(MPI_COMM_WORLD)})
    std::printf("%s", said.c_str());
  return 0;
}
