// Ranks that never come, or come with another call: every wait ends by WHERRY_TIMEOUT, and afterwards all goes on.
#include <functional>
#include <string>
#include <vector>

#include "wherry/deep/collect.hpp"

#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

constexpr std::size_t much = 1'500'000;

void expect_an_end(const std::string& words, const std::function<void()>& act) {
  const setting timeout("timeout", "0.2", "0");
  CHECK_THROWS_WITH(act(), words.c_str());
}

}  // namespace

WHERRY_TEST(a_broadcast_that_one_rank_calls_late, ranks(2, 3, 4).not_simulated("a rank is late")) {
  for (const bool is_first : {true, false}) {
    const node_communicators comms(test.comm);
    for (const MPI_Comm c : comms.list())
      for (const bool started : {false, true})
        for (const int late : {0, test.size - 1}) {
          const wherry::communicator comm(c);
          std::vector<numbers> all;
          if (!is_first) deep::allgather(comm, numbers(10), all);
          test.note(std::string(is_first ? "first" : "") + (started ? " started" : "") + std::to_string(late));
          numbers word(test.rank == 0 ? much : 0, 7);
          const auto act = [&] {
            started ? deep::start_bcast(comm, word, 0).wait() : static_cast<void>(deep::bcast(comm, word, 0));
          };
          // Of what is in flight the root depends on its children only.
          if (test.rank != late && !(started && late != 0))
            expect_an_end(is_first && !started && late == 0 ? "not arrived: rank 0" : "", act);
          if (test.rank != late && started && late != 0) {
            const setting timeout("timeout", "0.2", "0");
            try {
              act();
            } catch (const wherry::error& problem) {
              CHECK(problem.kind() == wherry::error_kind::timeout);
            }
          }
          patient_barrier(test.comm);
          if (test.rank == late) {
            const setting timeout("timeout", "0.2", "0");
            try {
              act();
            } catch (const wherry::error&) {
            }
          }
          check_that_all_goes_on(comm);
        }
  }
}

WHERRY_TEST(a_rank_that_does_not_come_is_named, ranks(2, 3).not_simulated("one rank sleeps")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    numbers list(2'000'000, 1), arrived;
    deep::bcast(comm, list, 0);  // so that all is set up
    const int last = test.size - 1;
    if (test.rank == 0) expect_timeout(last, [&] { deep::receive(comm, arrived, last); });
    if (test.rank == 0) expect_timeout(last, [&] { deep::send(comm, list, last, {.tag = 1}); });
    patient_barrier(test.comm);
    // What it has missed is not taken for something else.
    if (test.rank == last) {
      const setting timeout("timeout", "0.5", "0");
      CHECK_THROWS(deep::receive(comm, arrived, 0, {.tag = 1}));
    }
    patient_barrier(test.comm);
    check_that_all_goes_on(comm);
    patient_barrier(test.comm);
  }
}

WHERRY_TEST(a_send_met_by_a_broadcast, ranks(2).not_simulated("one rank waits")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    numbers word(test.rank == 0 ? much : 0, 1);
    if (test.rank == 0) expect_timeout(1, [&] { deep::send(comm, word, 1); });
    if (test.rank == 1) expect_timeout(0, [&] { deep::bcast(comm, word, 0); });
    patient_barrier(test.comm);
    // Each meets what the other has begun, and is told.
    if (test.rank == 0) deep::bcast(comm, word, 0);
    if (test.rank == 1) CHECK_THROWS_WITH(deep::receive(comm, word, 0), "rank 0 has given up: ");
    for (const int root : {0, 1}) {  // both wait, and meanwhile end what they have let go of
      word.assign(10, test.rank);
      deep::bcast(comm, word, root);
      CHECK(word == numbers(10, root));
    }
  }
}

WHERRY_TEST(gathers_and_scatters_with_a_late_rank, ranks(2, 3).not_simulated("one rank waits")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    const int late = test.size - 1;
    const numbers mine(10, test.rank);
    std::vector<numbers> all, parts(static_cast<std::size_t>(test.size), numbers(10, 5));
    numbers part;
    if (test.rank == 0) expect_timeout(late, [&] { deep::gather(comm, mine, all, 0); });
    if (test.rank != 0 && test.rank != late) deep::gather(comm, mine, all, 0);
    if (test.rank != late) expect_timeout(late, [&] { deep::scatter(comm, parts, part, late); });
    patient_barrier(test.comm);
    if (test.rank == late) deep::gather(comm, mine, all, 0);
    if (test.rank == late) deep::scatter(comm, parts, part, late);
    patient_barrier(test.comm);
    deep::gather(comm, mine, all, 0);
    deep::scatter(comm, parts, part, late);
    if (test.rank == 0) CHECK(all.back() == numbers(10, late));
    CHECK(part == numbers(10, 5));
  }
}

WHERRY_TEST(a_scatter_with_two_roots_is_an_error, ranks(2).not_simulated("without messages nobody can know")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    std::vector<numbers> parts(2, numbers(10, test.rank));
    numbers part;
    int failures = 0;
    try {
      deep::scatter(comm, parts, part, test.rank);
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == wherry::error_kind::mismatch);
      ++failures;
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, test.comm);
    CHECK(failures >= 1);
  }
}
