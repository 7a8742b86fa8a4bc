// The C++ face in two phases: the same results as at once, several in flight, ended in any order or not at all.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "wherry/collective/collective.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
namespace collective = wherry::collective;

namespace {

struct particle {
  double position[3];
  int kind;
  bool operator==(const particle&) const = default;
};

/// Not commutative: the ranks' numbers, one behind the other.
struct numbers {
  std::array<int, 4> of{};
  bool operator==(const numbers&) const = default;
};
struct follow {
  numbers operator()(const numbers& a, const numbers& b) const {
    auto both = a;
    auto end = std::find(both.of.begin(), both.of.end(), 0);
    for (auto next = b.of.begin(); next != b.of.end() && *next != 0 && end != both.of.end();) *end++ = *next++;
    return both;
  }
};

/// Whether a message is there, as far as MPI sees when it looks a few times.
bool has_come(MPI_Comm comm, int from, int tag) {
  int is_there = 0;
  for (int i = 0; i < 100 && is_there == 0; ++i) MPI_Iprobe(from, tag, comm, &is_there, MPI_STATUS_IGNORE);
  return is_there != 0;
}

}  // namespace

WHERRY_TEST(what_is_begun_gives_its_result_at_its_end, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  for (const char* how : {"", "mpi", "nonblocking", "shared", "hierarchical", "one_sided"}) {
    const collective::start_options by{.implementation = how};
    auto sum = collective::start_allreduce(test.comm, r + 1, std::plus<>{}, by);
    auto largest = collective::start_reduce(test.comm, 0.5 * r, wherry::maximum{}, n - 1, by);
    auto before = collective::start_scan(test.comm, 1, std::plus<>{}, by);
    std::vector<particle> shown{{{1.0 * r, 2, 3}, r}, {{4, 5, 6}, -r}};
    auto root = collective::start_bcast(test.comm, shown, n / 2, by);
    int one = r;
    auto ones = collective::start_bcast(test.comm, one, n - 1, by);
    const std::vector<particle> mine{{{0, 1, 1.0 * r}, 7}, {{0, 1, 2.0 * r}, 8}};
    auto all = collective::start_allgather(test.comm, mine, by);
    auto collected = collective::start_gather(test.comm, mine, n / 2, by);
    std::vector<long> leaving(static_cast<std::size_t>(n));
    std::iota(leaving.begin(), leaving.end(), 100L * r);
    auto exchanged = collective::start_alltoall(test.comm, leaving, by);
    const std::vector<double> in{1.0 * r, 2, 3};
    std::vector<double> out(3);
    auto many = collective::start_allreduce(test.comm, in, out, std::plus<>{}, by);
    auto of_temporaries = collective::start_allgather(test.comm, std::vector<int>(500, r), by);
    auto of_values = collective::start_gather(test.comm, r, 0, by);
    auto met = collective::start_barrier(test.comm, by);

    met.wait();
    const auto values = of_values.wait();
    CHECK_EQUAL(values.size(), r == 0 ? static_cast<std::size_t>(n) : 0u);
    for (std::size_t k = 0; k < values.size(); ++k) CHECK_EQUAL(values[k], static_cast<int>(k));
    const auto lists = of_temporaries.wait();
    for (std::size_t k = 0; k < lists.size(); ++k) CHECK_EQUAL(lists[k], static_cast<int>(k / 500));
    many.wait();
    CHECK(out == (std::vector<double>{n * (n - 1) / 2.0, 2.0 * n, 3.0 * n}));
    const auto came = exchanged.wait();
    CHECK_EQUAL(came.size(), leaving.size());
    for (std::size_t i = 0; i < came.size(); ++i) CHECK_EQUAL(came[i], 100L * static_cast<long>(i) + r);
    const auto here = collected.wait();
    CHECK_EQUAL(here.size(), r == n / 2 ? 2 * static_cast<std::size_t>(n) : 0u);
    const auto everybodys = all.wait();
    CHECK_EQUAL(everybodys.size(), 2 * static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k)
      CHECK(everybodys[2 * static_cast<std::size_t>(k) + 1] == (particle{{0, 1, 2.0 * k}, 8}));
    if (r == n / 2) CHECK(here == everybodys);
    ones.wait();
    CHECK_EQUAL(one, n - 1);
    root.wait();
    CHECK(shown[0] == (particle{{1.0 * (n / 2), 2, 3}, n / 2}));
    CHECK_EQUAL(before.wait(), r + 1);
    CHECK_EQUAL(collective::start_allreduce(test.comm, r + 1, {.implementation = "mpi"}).wait(), n * (n + 1) / 2);
    const int up_to_here = collective::start_scan(test.comm, r + 1, {.implementation = "mpi"}).wait();
    CHECK_EQUAL(up_to_here, (r + 1) * (r + 2) / 2);
    const std::vector<int> pair{r, 1};
    std::vector<int> sums(2);
    collective::start_allreduce(test.comm, pair, sums, {.implementation = "mpi"}).wait();
    CHECK_EQUAL(sums, (std::vector{n * (n - 1) / 2, n}));
    CHECK_EQUAL(largest.wait(), r == n - 1 ? 0.5 * (n - 1) : 0.5 * r);
    CHECK_EQUAL(sum.wait(), n * (n + 1) / 2);
  }
}

WHERRY_TEST(what_is_begun_may_be_ended_in_any_order, ranks(1, 2, 3, 4)) {
  const int n = test.size, r = test.rank;
  random_numbers alike(test.seed), own(hash(test.seed, r));
  for (int round = 0; round < 20; ++round) {
    const int count = alike.between(1, 12);
    std::vector<collective::in_flight<numbers>> running;
    for (int i = 0; i < count; ++i)
      running.push_back(collective::start_allreduce(test.comm, numbers{{10 * i + r + 1}}, follow{}));
    numbers all;
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    own.shuffle(order);
    for (const int i : order) {
      for (std::size_t k = 0; k < 4; ++k) all.of[k] = static_cast<int>(k) < n ? 10 * i + static_cast<int>(k) + 1 : 0;
      auto& one = running[static_cast<std::size_t>(i)];
      while (own.chance(50) && !one.test()) {
      }
      CHECK(one.wait() == all);
    }
  }
}

WHERRY_TEST(results_are_taken_once, ranks(1, 2, 3)) {
  auto sum = collective::start_allreduce(test.comm, 1);
  auto moved = std::move(sum);
  CHECK_THROWS_WITH(sum.wait(), "no result");
  CHECK_EQUAL(moved.wait(), test.size);
  CHECK_THROWS_WITH(moved.wait(), "no result");
  CHECK(moved.test());
  CHECK_EQUAL(moved.transport().empty(), false);
  moved = collective::start_allreduce(test.comm, 2);
  CHECK(moved.explain().find("allreduce") != std::string::npos);
  CHECK_EQUAL(moved.wait(), 2 * test.size);
  const std::vector<int> two(2), three(3);
  std::vector<int> out(1);
  CHECK_THROWS_WITH(collective::start_allreduce(test.comm, two, out), "allreduce");
  CHECK_THROWS_WITH(collective::start_reduce(test.comm, 1, std::plus<>{}, test.size), "root");
  if (test.size > 1 && 3 % test.size != 0) CHECK_THROWS_WITH(collective::start_alltoall(test.comm, three), "alltoall");
  CHECK_EQUAL(collective::allreduce(test.comm, 1), test.size);
}

// Its memory stays, whatever MPI yet writes to it.
WHERRY_TEST(results_that_nobody_waits_for, ranks(1, 2, 3, 4)) {
  for (const char* how : {"mpi", "nonblocking", "shared"}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    {
      auto left = collective::start_allgather(comm, std::vector<int>(1000, test.rank), {.implementation = how});
      auto replaced = collective::start_allreduce(comm, 1, std::plus<>{}, {.implementation = how});
      replaced = {};
    }
    MPI_Barrier(test.comm);
    MPI_Comm_free(&comm);
  }
  CHECK_EQUAL(collective::allreduce(test.comm, 1), test.size);
}

// A rank that has waited long enough frees the communicator, which takes until the others have come.
WHERRY_TEST(results_that_come_too_late, ranks(2, 3, 4).not_simulated("real time must pass")) {
  for (const char* how : {"mpi", "nonblocking"})
    for (int round = 0; round < 3; ++round) {
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Comm_dup(test.comm, &comm);
      collective::barrier(comm);
      {
        const with_setting limit("timeout", test.rank == 0 ? "0.05" : "20", "0");
        if (test.rank != 0) {
          MPI_Recv(nullptr, 0, MPI_INT, 0, round, test.comm, MPI_STATUS_IGNORE);  // rank 0 has waited in vain
          MPI_Send(nullptr, 0, MPI_INT, 0, round, test.comm);
        }
        auto late = collective::start_allgather(comm, std::vector<int>(1000, test.rank), {.implementation = how});
        if (test.rank == 0) {
          CHECK_THROWS_WITH(late.wait(), "allgather");
          for (int to = 1; to < test.size; ++to) MPI_Send(nullptr, 0, MPI_INT, to, round, test.comm);
        } else {
          const auto all = late.wait();
          CHECK_EQUAL(all.size(), static_cast<std::size_t>(1000 * test.size));
          CHECK_EQUAL(all.front(), 0);
          CHECK_EQUAL(all.back(), test.size - 1);
        }
      }
      MPI_Comm_free(&comm);
      for (int from = 1; test.rank == 0 && from < test.size; ++from) {
        CHECK(has_come(test.comm, from, round));
        MPI_Recv(nullptr, 0, MPI_INT, from, round, test.comm, MPI_STATUS_IGNORE);
      }
      MPI_Barrier(test.comm);
    }
  CHECK_EQUAL(collective::allreduce(test.comm, 1), test.size);
}
