// Whatever takes a wherry::communicator takes an MPI_Comm, and the other way round.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

template <class Comm> void halos_on(const Comm& comm, int rank, int size) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::field<int, 1> u(comm, {2}, 1);
  u(0) = u(1) = rank;
  wherry::halo_exchange(grid, u)();
  CHECK_EQUAL(u(-1), before);

  const auto ring = wherry::domain<1>::torus({{0}, {2 * size}});
  const auto cut = wherry::even_blocks<1>(ring.cells, {size});
  wherry::halo_exchange(comm, cut, ring, {.reverse = true}, {{halo_of(u)}})();
  CHECK_EQUAL(u(1), rank);

  const std::vector<wherry::ghost> ghosts{{next, 0, 1}};
  const auto lists = wherry::resolve_ghosts(comm, ghosts);
  std::vector<int> values{rank, -1};
  wherry::index_exchange(comm, lists, values)();
  CHECK_EQUAL(values[1], next);
  wherry::index_exchange(comm, lists, {.update = std::plus<>{}}, values)();
  CHECK_EQUAL(values[1], 2 * next);

  wherry::alltoall_exchange to_next(comm);
  to_next.send(next, &rank, sizeof rank);
  to_next.receive(before, values.data(), sizeof rank);
  to_next.commit();
  to_next();
  CHECK_EQUAL(values[0], before);

  const wherry::node_memory memory(comm, 100);
  CHECK(memory.data() != nullptr);
  wherry::exchange nothing(comm, wherry::plans::schedule{});
  nothing();
}

template <class Comm> void blocks_on(const Comm& comm, int rank, int size) {
  const auto space = wherry::domain<1>::torus({{0}, {2 * size}});
  const std::vector<wherry::box<1>> mine{{{2 * rank}, {2 * rank + 2}}};
  const auto part = wherry::distributed_floor_plan<1>(comm, mine, 1, space);
  const auto open =
      wherry::resolve(comm, wherry::distributed_floor_plan<1>(comm, mine), wherry::halo_widths<1>(1), space);
  CHECK(wherry::resolve(comm, part, open).from.size() == size);
  CHECK(wherry::resolve(comm, part, open, space).to.size() == size);
  wherry::x_array<int, 1> u(comm, part, {.ghost_width = 1});
  for (const auto& [number, cells, values] : u.blocks()) {
    values(cells.lower[0]) = values(cells.lower[0] + 1) = rank;
    const wherry::grid_view<int, 1> grids[] = {values};
    wherry::x_array<int, 1> over(comm, part, std::span<const wherry::grid_view<int, 1>>(grids), {.ghost_width = 1});
    wherry::mover(wherry::halo_motion(part, wherry::halo_widths<1>(1), space), over, over)();
    CHECK_EQUAL(values(cells.lower[0] - 1), (rank + size - 1) % size);
  }

  const auto points = wherry::distributed_floor_plan(comm, std::vector{wherry::index_set{rank}});
  CHECK(wherry::resolve(comm, points).size() == size);
  CHECK(wherry::resolve(comm, points, points).from.size() == size);
  wherry::index_array<int> on_points(comm, points);
  std::vector<int> one(1);
  const std::span<int> parts[] = {one};
  wherry::index_array<int> over_one(comm, points, std::span<const std::span<int>>(parts));
  CHECK_EQUAL(on_points.comm().size(), over_one.comm().size());
}

template <class Comm> void deep_on(const Comm& comm, int rank, int size) {
  namespace deep = wherry::deep;
  std::vector<int> list{rank};
  deep::bcast(comm, list, size - 1);
  CHECK_EQUAL(list[0], size - 1);
  deep::start_bcast(comm, list, 0).wait();
  CHECK_EQUAL(list[0], size - 1);
  std::vector<std::vector<int>> all;
  deep::gather(comm, std::vector{rank}, all, 0);
  deep::scatter(comm, all, list, 0);
  CHECK_EQUAL(list[0], rank);
  deep::allgather(comm, list, all);
  CHECK_EQUAL(all.back()[0], size - 1);
  auto arriving = deep::start_receive(comm, list, rank);
  deep::start_send(comm, std::vector{7}, rank).wait();
  arriving.wait();
  CHECK_EQUAL(list[0], 7);
  deep::send(comm, std::vector{8}, rank);
  CHECK_EQUAL(deep::receive<std::vector<int>>(comm, rank)[0], 8);
  CHECK(wherry::stream_statistics(comm).exchanges > 0);
  CHECK(!wherry::stream_transport(comm).empty());
  CHECK(!wherry::explain_streams(comm).empty());
}

template <class Comm> void collectives_on(const Comm& comm, int rank, int size) {
  namespace collective = wherry::collective;
  CHECK_EQUAL(collective::allreduce(comm, 1), size);
  std::vector<int> root{rank};
  collective::bcast(comm, root, size - 1);
  CHECK_EQUAL(root[0], size - 1);
  CHECK_EQUAL(collective::allgather(comm, rank).back(), size - 1);
  collective::choose(comm, collective::kind::barrier, "dissemination");
  CHECK_EQUAL(collective::run(collective::call::barrier(comm)), "dissemination");
  const wherry::segment<int> flags(comm, 1);
  CHECK_EQUAL(flags.comm().size(), size);
}

}  // namespace

WHERRY_TEST(any_communicator_will_do, ranks(1, 2, 3)) {
  MPI_Comm users = MPI_COMM_NULL;
  for (const bool made_before : {false, true}) {
    MPI_Comm_dup(test.comm, &users);
    const auto on_each = [&](const auto& comm) {
      halos_on(comm, test.rank, test.size);
      blocks_on(comm, test.rank, test.size);
      deep_on(comm, test.rank, test.size);
      collectives_on(comm, test.rank, test.size);
    };
    if (made_before)
      on_each(wherry::communicator(users));
    else
      on_each(users);
    MPI_Comm_free(&users);
  }
}

WHERRY_TEST(communicators_are_never_without_one, ranks(1, 2)) {
  wherry::communicator comm(test.comm);
  const wherry::communicator other(std::move(comm));
  CHECK_EQUAL(comm.size(), other.size());
  CHECK(comm == other);
  const auto refused = [&](auto&& act) { CHECK_THROWS_WITH(act(), "'comm' is MPI_COMM_NULL"); };
  refused([] { wherry::process_grid(MPI_COMM_NULL, {.periodic = {true}}); });
  refused([] { wherry::field<int, 1>(MPI_COMM_NULL, {2}, 1); });
  refused([] { wherry::alltoall_exchange(MPI_COMM_NULL); });
  refused([] { wherry::deep::bcast(MPI_COMM_NULL, std::vector<int>{}, 0); });
  refused([] { wherry::deep::send(MPI_COMM_NULL, std::vector<int>{}, 0); });
}

WHERRY_TEST(collectives_of_what_has_been_freed_are_refused, ranks(1, 2)) {
  MPI_Comm users = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &users);
  const wherry::communicator kept(users);
  CHECK_EQUAL(wherry::collective::allreduce(kept, 1), test.size);
  MPI_Comm_free(&users);
  CHECK_THROWS_WITH(static_cast<void>(wherry::collective::allreduce(kept, 1)), "was freed");
}

WHERRY_TEST(cartesian_whichever_way, ranks(1, 2, 4)) {
  int extents[] = {1, test.size};
  const int periods[] = {1, 0};
  MPI_Comm cartesian = MPI_COMM_NULL;
  MPI_Cart_create(test.comm, 2, extents, periods, 0, &cartesian);
  const wherry::process_grid grid{wherry::communicator(cartesian)};
  CHECK((grid.extents() == std::vector<int>{1, test.size}));
  CHECK((grid.periodic() == std::vector<bool>{true, false}));
  MPI_Comm_free(&cartesian);
}
