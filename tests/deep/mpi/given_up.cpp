// A rank that gives up a long stream and then calls only MPI, never Wherry again until all others are through: they
// learn at once, and nobody waits until WHERRY_TIMEOUT.
#include <functional>
#include <string>
#include <vector>

#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;
using wherry::communicator;

namespace {

constexpr std::size_t much = 1'500'000;

// Before its end nobody needs to wait here.
template <class Act> void in_time(Act&& act) {
  const setting timeout("timeout", "20", "0");
  act();
}

void finishes(const char* what, const std::function<void()>& act) {
  in_time([&] {
    try {
      act();
    } catch (const wherry::error& problem) {
      FAIL(std::string(what) + ": " + problem.what());
    }
  });
}

struct somebody_elses {};

}  // namespace

WHERRY_TEST(a_sender_that_gives_up_and_leaves, ranks(2, 3).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const bool buffered : {false, true}) {
      const communicator comm(c);
      const deep::options how{.buffered = buffered};
      if (test.rank == 0) CHECK(wait_in_vain([&] { deep::send(comm, content(much, 1), 1); }));
      patient_barrier(test.comm);
      if (test.rank == 1)
        in_time([&] {
          CHECK_THROWS_WITH(deep::receive<numbers>(comm, 0, how), "rank 0 has given up: wherry: deep::send, rank 0: ");
        });
      patient_barrier(test.comm);
      check_that_all_goes_on(comm);
    }
}

WHERRY_TEST(a_root_that_gives_up_and_leaves, ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const int late : {1, test.size - 1}) {
      const communicator comm(c);
      check_that_all_goes_on(comm);
      numbers word;
      if (test.rank == 0) word = content(much, 1);
      if (test.rank == 0) CHECK(wait_in_vain([&] { deep::bcast(comm, word, 0); }));
      if (test.rank == 0) tell(test, late);
      if (test.rank == late) hear(test, 0);
      if (test.rank != 0)
        in_time([&] { CHECK_THROWS_WITH(deep::bcast(comm, word, 0), " has given up: wherry: deep::bcast, rank 0: "); });
      patient_barrier(test.comm);
      check_that_all_goes_on(comm);
    }
}

// Of ranks on one node.
WHERRY_TEST(a_receiver_that_gives_up_and_leaves, ranks(2, 3).not_simulated("a rank is late")) {
  const communicator comm(test.comm);
  for (const bool started : {false, true}) {
    if (test.rank == 0) {
      const auto list = halting_list();
      halt = [&] { hear(test, 1); };
      tell(test, 1);
      in_time([&] {
        if (started)
          finishes("send", [&] { deep::send(comm, list, 1); });
        else
          CHECK_THROWS_WITH(deep::send(comm, list, 1), "rank 1 does not accept the message: wherry: deep::receive");
      });
    } else if (test.rank == 1) {
      std::vector<halting> list;
      hear(test, 0);
      CHECK(wait_in_vain(
          [&] { started ? deep::start_receive(comm, list, 0).wait() : void(deep::receive(comm, list, 0)); }));
      tell(test, 0);
    }
    patient_barrier(test.comm);
    check_that_all_goes_on(comm);
  }
}

WHERRY_TEST(a_reader_of_a_broadcast_that_gives_up_and_leaves, ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  const communicator comm(test.comm);
  check_that_all_goes_on(comm);
  for (const bool started : {false, true})
    for (const int leaves : {1, test.size - 1}) {
      std::vector<halting> list;
      if (test.rank == leaves) {
        const auto read = [&] {
          started ? deep::start_bcast(comm, list, 0).wait() : static_cast<void>(deep::bcast(comm, list, 0));
        };
        hear(test, 0);
        CHECK(wait_in_vain(read));
        CHECK(list.empty());
        tell(test, 0);
      } else {
        if (test.rank == 0) list = halting_list();
        if (test.rank == 0) halt = [&] { hear(test, leaves); };
        if (test.rank == 0) tell(test, leaves);
        finishes("broadcast", [&] { deep::bcast(comm, list, 0); });
        CHECK(same(list));
      }
      patient_barrier(test.comm);
      check_that_all_goes_on(comm);
    }
}

// Between nodes: whoever reads what this rank was to pass on learns it while the root does nothing at all.
WHERRY_TEST(a_rank_in_the_middle_that_gives_up_and_leaves, ranks(4, 8).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  const int middle = test.size / 2;
  for (const MPI_Comm c : {comms.list()[1], comms.list()[2]})
    for (const bool started : {false, true}) {
      const communicator comm(c);
      check_that_all_goes_on(comm);
      std::vector<halting> list;
      if (test.rank > middle) {
        const auto words = (started ? "deep::start_bcast, rank " : "deep::bcast, rank ") + std::to_string(middle);
        in_time([&] { CHECK_THROWS_WITH(deep::bcast(comm, list, 0), words.c_str()); });
        tell(test, 0);
      } else if (test.rank == middle) {
        const auto read = [&] {
          started ? deep::start_bcast(comm, list, 0).wait() : static_cast<void>(deep::bcast(comm, list, 0));
        };
        hear(test, 0);
        CHECK(wait_in_vain(read, "2"));  // by then it has begun: the root does at once
      } else {
        if (test.rank == 0) list = halting_list();
        halt = [&] {
          for (int rank = middle + 1; rank < test.size; ++rank) hear(test, rank);
        };
        if (test.rank == 0) tell(test, middle);
        const setting timeout("timeout", "0.5", "0");
        try {
          deep::bcast(comm, list, 0);
        } catch (const wherry::error& problem) {  // nobody tells the root
          CHECK(problem.kind() == wherry::error_kind::timeout || problem.kind() == wherry::error_kind::state);
        }
      }
      patient_barrier(test.comm);
      check_that_all_goes_on(comm);
    }
}

// Neither by an exception, nor by a timeout, before anything has come.
WHERRY_TEST(a_reader_that_gives_up_before_the_broadcast_begins, ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  const communicator comm(test.comm);
  check_that_all_goes_on(comm);
  for (const bool started : {false, true})
    for (const int leaves : {1, test.size - 1}) {
      numbers word;
      if (test.rank == leaves && started) {
        try {
          const auto flight = deep::start_bcast(comm, word, 0);
          throw somebody_elses();
        } catch (const somebody_elses&) {
        }
      } else if (test.rank == leaves) {
        CHECK(wait_in_vain([&] { deep::bcast(comm, word, 0); }));
      }
      patient_barrier(test.comm);
      if (test.rank == 0) word = content(much, leaves);
      if (test.rank != leaves) finishes("broadcast", [&] { deep::bcast(comm, word, 0); });
      if (test.rank != leaves) CHECK(word == content(much, leaves));
      patient_barrier(test.comm);
      check_that_all_goes_on(comm);
    }
}
