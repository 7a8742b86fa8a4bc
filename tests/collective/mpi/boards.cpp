// What a communicator's board takes of the memory that the node shares.
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "wherry/collective/operation.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_arena.hpp"

#include "harness/harness.hpp"
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
    if (sum[static_cast<std::size_t>(i)] != test.size * i + test.size * (test.size - 1) / 2)
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
      wherry::collective::operation under_way;
    };
    std::vector<flight> flights(12);
    for (auto& one : flights) {
      const int count = random.one_of({1, 14, 40, 200, 1000, 9000, 40'000});
      one.some.assign(static_cast<std::size_t>(count), test.rank + count);
      one.sum.resize(one.some.size());
      one.under_way =
          wherry::collective::begin(call::allreduce(one.some.data(), one.sum.data(), count, MPI_INT, MPI_SUM, comm),
                                    {.implementation = "shared"});
    }
    for (auto& one : flights) {
      one.under_way.end();
      const int count = static_cast<int>(one.sum.size());
      for (const int value : one.sum) REQUIRE(value == test.size * count + test.size * (test.size - 1) / 2);
    }
    MPI_Comm_free(&comm);
  }
}
