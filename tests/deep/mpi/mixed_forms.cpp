// One broadcast, called by every rank in a form of its own: streaming, buffered, or in flight.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

WHERRY_TEST(broadcasts_in_mixed_forms, ranks(1, 2, 3, 4, 6, 8).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for_each_case(test, 40, [&](random_case& now) {
    const wherry::communicator comm(now.random.one_of(comms.list()));
    random_numbers mine(hash(test.seed, static_cast<std::uint64_t>(now.number), static_cast<std::uint64_t>(test.rank)));
    const auto count = static_cast<std::size_t>(now.random.between(1, 8));
    std::vector<numbers> words(count), expected(count);
    std::vector<deep::in_flight> flights;
    std::vector<std::size_t> under_way;
    for (std::size_t i = 0; i < count; ++i) {
      const int root = now.random.between(0, test.size - 1);
      const std::size_t lengths[] = {0, 10, 5000, 40'000, 400'000};
      expected[i] = content(lengths[now.random.between(0, 4)], now.number * 10 + static_cast<int>(i));
      if (test.rank == root) words[i] = expected[i];
      if (mine.chance(40)) {
        flights.push_back(deep::start_bcast(comm, words[i], root));
        under_way.push_back(i);
        if (mine.chance(50)) continue;
        flights.back().wait();
      } else {
        deep::bcast(comm, words[i], root, {.buffered = mine.chance(30)});
      }
      CHECK(words[i] == expected[i]);
    }
    mine.shuffle(flights);
    for (auto& flight : flights) flight.wait();
    for (std::size_t i = 0; i < count; ++i) CHECK(words[i] == expected[i]);
  });
}

WHERRY_TEST(broadcasts_with_two_roots_are_an_error, ranks(2, 3, 4).not_simulated("without messages nobody can know")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    numbers word(10, test.rank);
    deep::bcast(comm, word, 0);  // so that all is set up
    int failures = 0;
    const auto count_failures = [&](auto act) {
      try {
        act();
      } catch (const wherry::error& problem) {
        CHECK(problem.kind() == wherry::error_kind::mismatch);
        ++failures;
      }
    };
    // Two roots, neither of which reads; all others read from the first.
    count_failures([&] { deep::bcast(comm, word, test.rank == 1 ? 1 : 0); });
    patient_barrier(test.comm);
    for (int root = 0; root < 2; ++root) count_failures([&] { deep::bcast(comm, word, root); });
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, test.comm);
    if (comm.node_ranks().size() > 1) CHECK(failures >= 1);  // between nodes one root need not hear of the other
    patient_barrier(test.comm);
    word.assign(10, test.rank);
    deep::bcast(comm, word, 1);
    CHECK_EQUAL(word, numbers(10, 1));
  }
}

// The first root is through before the second one comes: both are told, at the latest in the next broadcast.
WHERRY_TEST(both_of_two_roots_hear_of_the_other, ranks(2).not_simulated("one rank waits")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const bool buffered : {false, true})
      for (const int next : {0, 1}) {
        const wherry::communicator comm(c);
        check_that_all_goes_on(comm);
        numbers word(10, test.rank);
        std::string said;
        const auto attempt = [&](int root) {
          try {
            deep::bcast(comm, word, root, {.buffered = buffered});
          } catch (const wherry::error& problem) {
            said += problem.what();
          }
        };
        if (test.rank == 0) attempt(0);
        patient_barrier(test.comm);
        if (test.rank == 1) attempt(1);
        patient_barrier(test.comm);
        attempt(next);
        const auto named =
            test.rank == 0 ? "rank 1 sends as root, and so does rank 0" : "rank 0 sends as root, and so does rank 1";
        if (fault(said.find(named) == std::string::npos)) FAIL("says '" + said + "'");
        check_that_all_goes_on(comm);
      }
}

// On its way to a rank a broadcast may lead by the other of two roots.
WHERRY_TEST(of_two_roots_nobody_gets_the_others_data,
            ranks(2, 3, 4, 8).not_simulated("without messages nobody can know")) {
  const setting timeout("timeout", "0.5", "0");
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const int form : {0, 1, 2})
      for (int other = 1; other < test.size; ++other) {
        const wherry::communicator comm(c);
        numbers word(10, test.rank);
        try {
          deep::bcast(comm, word, 0);     // so that all is set up
        } catch (const wherry::error&) {  // what is late of the case before
        }
        patient_barrier(test.comm);
        const int root = test.rank == other ? other : 0;
        word.assign(10, test.rank);
        try {
          if (form == 2) deep::start_bcast(comm, word, root).wait();
          if (form != 2) deep::bcast(comm, word, root, {.buffered = form == 1});
          CHECK_EQUAL(word, numbers(10, root));
        } catch (const wherry::error& problem) {
          const std::string said = problem.what();
          const bool both = said.find("names rank 0") != std::string::npos &&
                            said.find("is rank " + std::to_string(other) + "'s") != std::string::npos;
          if (test.rank != root && problem.kind() == wherry::error_kind::mismatch && !both) FAIL("says '" + said + "'");
        }
        patient_barrier(test.comm);
      }
}
