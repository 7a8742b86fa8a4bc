// What a communicator's board takes of the memory that the node shares.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "wherry/collective/run.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/core/node_memory.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::collective::call;
using wherry::collective::run;

namespace {

std::size_t used(MPI_Comm comm) { return wherry::communicator(comm).arena()->used(); }

void add_up(const context& test, MPI_Comm comm, int count) {
  std::vector<int> some(static_cast<std::size_t>(count)), sum(some.size());
  for (int i = 0; i < count; ++i) some[static_cast<std::size_t>(i)] = i + test.rank;
  CHECK_EQUAL(run(call::allreduce(some.data(), sum.data(), count, MPI_INT, MPI_SUM, comm), "shared"), "shared");
  for (int i = 0; i < count; ++i)
    if (fault(sum[static_cast<std::size_t>(i)] != test.size * i + test.size * (test.size - 1) / 2))
      FAIL("element " + std::to_string(i) + " of " + std::to_string(count));
}

}  // namespace

WHERRY_TEST(many_communicators_of_short_calls_take_two_pages_each,
            ranks(2, 3, 4, 8).not_simulated("ranks of one process have one arena")) {
  add_up(test, test.comm, 1);
  const auto before = used(test.comm);
  std::vector<MPI_Comm> many(8);
  for (auto& comm : many) {
    MPI_Comm_dup(test.comm, &comm);
    for (int round = 0; round < 40; ++round) add_up(test, comm, 1 + round % 14);
  }
  CHECK(used(test.comm) - before <= many.size() * 12288);
  add_up(test, many[0], 300'000);
  CHECK(used(test.comm) - before > std::size_t{100} << 10);
  CHECK(used(test.comm) - before <= (std::size_t{2} << 20));
  for (auto& comm : many) MPI_Comm_free(&comm);
}

WHERRY_TEST(boards_grow_while_calls_are_in_flight, ranks(2, 3, 4, 8).not_simulated("as above")) {
  random_numbers random(test.seed);
  for (int round = 0; round < 4; ++round) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    struct flight {
      std::vector<int> some, sum;
      wherry::collective::running_call under_way;
    };
    std::vector<flight> flights(12);
    for (auto& one : flights) {
      const int count = random.one_of({1, 14, 40, 200, 1000, 9000, 40'000});
      one.some.assign(static_cast<std::size_t>(count), test.rank + count);
      one.sum.resize(one.some.size());
      one.under_way =
          wherry::collective::start(call::allreduce(one.some.data(), one.sum.data(), count, MPI_INT, MPI_SUM, comm),
                                    {.implementation = "shared"});
    }
    for (auto& one : flights) {
      one.under_way.wait();
      const int count = static_cast<int>(one.sum.size());
      for (const int value : one.sum) REQUIRE(value == test.size * count + test.size * (test.size - 1) / 2);
    }
    MPI_Comm_free(&comm);
  }
}

namespace {

// All of the rank's arena but `spare` bytes.
std::vector<wherry::node_memory> all_but(const wherry::communicator& comm, std::size_t spare) {
  std::vector<wherry::node_memory> all;
  for (std::size_t bytes = std::size_t{1} << 23; bytes >= 64; bytes /= 2) try {
      while (comm.arena()->used() + bytes + spare <= comm.arena()->capacity()) all.emplace_back(comm, bytes);
    } catch (const wherry::error& full) {
      CHECK_EQUAL(full.kind(), wherry::error_kind::resource);
    }
  return all;
}

}  // namespace

// One rank's board cannot grow: the others do not wait for it, and other communicators go on.
WHERRY_TEST(a_board_that_cannot_grow_fails_on_all_ranks, ranks(2, 3, 4, 8).not_simulated("as above")) {
  const setting small("arena_size", "16M", "0");
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &mine);
  const int poor = test.size - 1;
  for (const auto what : {wherry::collective::kind::allreduce, wherry::collective::kind::bcast,
                          wherry::collective::kind::allgather, wherry::collective::kind::alltoall}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(mine, &comm);
    const wherry::communicator node(comm);
    if (node.arena() == nullptr || node.node_ranks().size() != static_cast<std::size_t>(test.size))
      return test.skip("no node-shared memory");
    add_up(test, comm, 1);
    const int count = 40'000;
    std::vector<int> some(static_cast<std::size_t>(count * test.size), 1), all(some.size());
    const auto wanted = [&] {
      using wherry::collective::kind;
      if (what == kind::allreduce) return call::allreduce(some.data(), all.data(), count, MPI_INT, MPI_SUM, comm);
      if (what == kind::bcast) return call::bcast(all.data(), count, MPI_INT, poor, comm);
      if (what == kind::allgather)
        return call::allgather(some.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
      return call::alltoall(some.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
    }();
    {
      const auto taken = test.rank == poor ? all_but(node, 0) : std::vector<wherry::node_memory>{};
      all_throw(test, std::string(name_of(what)), wherry::error_kind::resource, "node-shared memory",
                [&] { run(wanted, "shared"); });
      MPI_Barrier(test.comm);
    }
    all_throw(test, "what comes after it", wherry::error_kind::state, "was given up", [&] { run(wanted, "shared"); });
    MPI_Comm_free(&comm);
    MPI_Comm_dup(mine, &comm);
    add_up(test, comm, count);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_free(&mine);
}

// With less memory than it would like a board takes turns more often, and with none it does what it can in two pages.
WHERRY_TEST(a_board_takes_what_there_is, ranks(2, 3, 4, 8).not_simulated("as above")) {
  const setting small("arena_size", "16M", "0");
  for (const std::size_t spare : {std::size_t{0}, std::size_t{40} << 10, std::size_t{150} << 10}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    const wherry::communicator node(comm);
    if (node.arena() == nullptr) return test.skip("no node-shared memory");
    add_up(test, comm, 1);
    const auto taken = all_but(node, spare);
    for (int round = 0; round < 30; ++round) add_up(test, comm, 1 + (round * 37) % 200);
    MPI_Comm_free(&comm);
  }
}
