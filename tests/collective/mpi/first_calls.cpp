// WHERRY_COLL_TUNE: implementations take turns in a communicator's first calls; all ranks agree on whose turn it is and
// on what is chosen, and results are right all the time.
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/operation.hpp"
#include "wherry/collective/tuning.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/all_throw.hpp"
#include "support/with_setting.hpp"
#include "topologies.hpp"

using namespace wherry_test;
using collective_oracle::first_of_neighbours;
using collective_oracle::random_topology;
using collective_oracle::random_trial;
using collective_oracle::random_trial_of_neighbors;
using wherry::error_kind;
using wherry::collective::call;
using wherry::collective::explain;
using wherry::collective::kind;
using wherry::collective::run;

namespace {

constexpr int enough_calls = 120;  // for any trial

bool same_on_all(const context& test, std::string_view word) {
  const auto mine = static_cast<int>(std::hash<std::string_view>{}(word) & 0x7fffffff);
  int figures[] = {mine, -mine};
  MPI_Allreduce(MPI_IN_PLACE, figures, 2, MPI_INT, MPI_MAX, test.comm);
  return figures[0] == -figures[1];
}

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

template <class Body> void with_new_communicator(const context& test, Body&& body) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  body(comm);
  MPI_Comm_free(&comm);
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string name_in(const std::string& explanation) { return explanation.substr(0, explanation.find(':')); }

}  // namespace

WHERRY_TEST(first_calls_take_turns_and_choose_the_same_everywhere,
            ranks(1, 2, 3, 4, 8).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    const int step = test.size == 8 ? 3 : 1;  // MPICH's ranks take milliseconds a call where they share cores
    for (int k = 0; k < first_of_neighbours; k += step) {
      const auto what = static_cast<kind>(k);
      const auto title = std::string(name_of(what));
      test.note(title);
      std::set<std::string> turns;
      std::string said;
      for (int round = 0; round < enough_calls; ++round) {
        random_numbers random(hash(test.seed, k));  // the same call again
        const auto one = random_trial(random, what, comm, 40);
        const auto before = name_in(explain(one->what));
        const auto did = run(one->what);
        turns.insert(std::string(did));
        const auto wrong = one->verdict();
        if (fault(!wrong.empty())) CHECK_EQUAL(title + " by " + std::string(did) + ": " + wrong, std::string());
        if (fault(!same_on_all(test, did))) FAIL(title + ": ranks disagree on whose turn it is");
        said = explain(one->what);
        if (contains(said, "measured on the first calls")) CHECK_EQUAL(std::string(did), name_in(said));
        if (contains(said, "measured on the first calls")) break;
      }
      if (fault(!same_on_all(test, name_in(said)))) FAIL(title + ": ranks disagree on what is chosen");
      if (fault(!same_on_all(test, said))) FAIL(title + ": ranks disagree on what it took");
      if (test.size == 1) {
        CHECK(contains(said, "the defaults"));
        CHECK_EQUAL(turns.size(), 1U);
      } else if (turns.size() > 1) {
        CHECK(contains(said, "measured on the first calls"));
      }
      if (test.size > 1 && what == kind::bcast) CHECK(turns.size() > 3);
    }
  });
}

WHERRY_TEST(neighbours_take_turns_and_choose_the_same_everywhere,
            ranks(2, 3, 4, 8).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  const int step = test.size == 8 ? 3 : 1;
  random_numbers any(test.seed);
  const auto where = random_topology(any, test.comm);
  for (int k = first_of_neighbours; k < wherry::collective::kinds; k += step) {
    const auto what = static_cast<kind>(k);
    const auto title = where->name + ": " + std::string(name_of(what));
    if (where->breaks_mpich(what)) continue;
    test.note(title);
    std::set<std::string> turns;
    std::string said;
    for (int round = 0; round < enough_calls; ++round) {
      random_numbers random(hash(test.seed, k));
      const auto one = random_trial_of_neighbors(random, what, *where, 40);
      const auto did = run(one->what);
      turns.insert(std::string(did));
      const auto wrong = one->verdict();
      if (fault(!wrong.empty())) CHECK_EQUAL(title + " by " + std::string(did) + ": " + wrong, std::string());
      if (fault(!same_on_all(test, did))) FAIL(title + ": ranks disagree on whose turn it is");
      said = explain(one->what);
      if (contains(said, "measured on the first calls")) break;
    }
    if (fault(!same_on_all(test, said))) FAIL(title + ": ranks disagree on what is chosen, or on what it took");
    CHECK(contains(said, "measured on the first calls"));
    CHECK(turns.size() > 2);
  }
}

WHERRY_TEST(calls_of_sizes_that_not_all_know_are_tried_together,
            ranks(2, 3, 4).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    const int most = 300;
    std::vector<int> mine(most, test.rank), all(static_cast<std::size_t>(most) * test.size), counts(test.size),
        places(test.size);
    const auto of = [&](int round) {  // each rank brings another number, which changes
      for (int r = 0; r < test.size; ++r) {
        counts[r] = (7 * round + 31 * r) % most;
        places[r] = r * most;
      }
      return call::gatherv(mine.data(), counts[test.rank], MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                           0, comm);
    };
    std::set<std::string> turns;
    for (int round = 0; round < enough_calls; ++round) {
      const auto did = run(of(round));
      turns.insert(std::string(did));
      if (fault(!same_on_all(test, did))) FAIL("ranks disagree on whose turn it is");
      for (int r = 0; test.rank == 0 && r < test.size; ++r)
        if (counts[r] > 0) CHECK_EQUAL(all[r * most + counts[r] - 1], r);
    }
    CHECK(turns.size() > 2);
    const auto said = explain(of(0));
    CHECK(contains(said, "measured on the first calls"));
    CHECK_EQUAL(explain(of(5)), said);
  });
}

WHERRY_TEST(sizes_are_tried_apart, ranks(2, 3).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    std::vector<int> some(1000, 1), sum(1000);
    const auto of = [&](int count) { return call::allreduce(some.data(), sum.data(), count, MPI_INT, MPI_SUM, comm); };
    for (int round = 0; round < enough_calls; ++round)
      for (const int count : {2, 3, 700}) {  // two of one class, and another
        run(of(count));
        CHECK_EQUAL(sum[static_cast<std::size_t>(count) - 1], test.size);
      }
    CHECK(contains(explain(of(2)), "measured"));
    CHECK_EQUAL(explain(of(2)), explain(of(3)));
    CHECK(contains(explain(of(1000)), "measured"));
    CHECK(contains(explain(of(4)), "until the first calls"));
    CHECK(contains(explain(of(400)), "until the first calls"));
  });
}

WHERRY_TEST(who_has_chosen_is_obeyed_at_once,
            ranks(2, 3).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  int value = 1, sum = 0;
  const auto of = [&](MPI_Comm comm) { return call::allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm); };
  const auto always = [&](MPI_Comm comm, std::string_view name) {
    for (int round = 0; round < 30; ++round) CHECK_EQUAL(run(of(comm)), name);
  };
  with_new_communicator(test, [&](MPI_Comm comm) {
    wherry::collective::choose(comm, kind::allreduce, "binomial");
    always(comm, "binomial");
  });
  with_new_communicator(test, [&](MPI_Comm comm) {  // in the middle of it
    for (int round = 0; round < 20; ++round) run(of(comm));
    for (int round = 0; round < 20; ++round) CHECK_EQUAL(run(of(comm), "ring"), "ring");
    wherry::collective::choose(comm, kind::allreduce, "linear");
    always(comm, "linear");
  });
  {
    const with_setting by("coll_allreduce", "recursive_doubling", "");
    with_new_communicator(test, [&](MPI_Comm comm) { always(comm, "recursive_doubling"); });
  }
  const auto file = "chosen." + std::to_string(test.size) + ".txt";
  if (test.rank == 0)
    std::ofstream(file) << "on " << test.size << " ranks, 1 nodes\nallreduce 0 chain\nallreduce 4 binomial\n"
                        << "allreduce 8 default\n";
  MPI_Barrier(test.comm);
  {
    const with_setting by("coll_tuning", file.c_str(), "");
    with_new_communicator(test, [&](MPI_Comm comm) {
      always(comm, "binomial");
      int two[2] = {1, 1}, sums[2];
      CHECK(contains(explain(call::allreduce(two, sums, 2, MPI_INT, MPI_SUM, comm)), "until the first calls"));
    });
  }
  if (test.rank == 0) std::remove(file.c_str());
}

WHERRY_TEST(what_is_begun_takes_no_turn, ranks(2, 3, 4).not_simulated("what takes turns is the same among few ranks")) {
  const with_setting tune("coll_tune", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    int value = 1, sum = 0;
    const auto what = call::allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    std::set<std::string> turns;
    const auto usual = name_in(explain(what));
    for (int round = 0; round < enough_calls; ++round) {
      auto begun = wherry::collective::begin(what);
      if (contains(explain(what), "until the first calls")) CHECK_EQUAL(std::string(begun.implementation()), usual);
      begun.end();
      CHECK_EQUAL(sum, test.size);
      turns.insert(std::string(run(what)));
    }
    CHECK(turns.size() > 3);
    CHECK(contains(explain(what), "measured on the first calls"));
  });
}

WHERRY_TEST(what_was_found_is_read_by_the_next_run,
            ranks(2, 3, 4).not_simulated("what takes turns is the same among few ranks")) {
  const auto file = "found." + std::to_string(test.size) + ".txt";
  if (test.rank == 0) std::remove(file.c_str());
  MPI_Barrier(test.comm);
  std::vector<int> some(1000, 1), sum(1000);
  const int counts[] = {1, 40, 700};
  const auto of = [&](int count, MPI_Comm comm) {
    return call::allreduce(some.data(), sum.data(), count, MPI_INT, MPI_SUM, comm);
  };
  std::vector<std::string> found;
  const with_setting read("coll_tuning", file.c_str(), "");  // it is not there yet
  {
    const with_setting tune("coll_tune", file.c_str(), "0");
    with_new_communicator(test, [&](MPI_Comm comm) {
      for (const int count : counts) {
        for (int round = 0; round < enough_calls; ++round) run(of(count, comm));
        found.push_back(name_in(explain(of(count, comm))));
      }
    });
  }
  MPI_Barrier(test.comm);
  if (test.rank == 0) CHECK(contains(text_of(file), "on " + std::to_string(test.size) + " ranks, 1 nodes  # measured"));
  with_new_communicator(test, [&](MPI_Comm comm) {
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK_EQUAL(explain(of(counts[i], comm)), found[i] + ": chosen by the tuning file");
    CHECK(contains(explain(of(2, comm)), "the defaults"));
    CHECK(contains(explain(of(1024, comm)), "the defaults"));
  });
  MPI_Barrier(test.comm);
  if (test.rank == 0) std::remove(file.c_str());
}

WHERRY_TEST(a_file_that_cannot_be_written_is_told_at_once, ranks(2, 3)) {
  const auto refused = [&](const char* file, const char* words) {
    const with_setting tune("coll_tune", file, "0");
    with_new_communicator(test, [&](MPI_Comm comm) {
      all_throw(test, file, error_kind::argument, words, [&] { run(call::barrier(comm)); });
    });
  };
  refused("/nowhere/found.txt", "/nowhere/found.txt");
  refused("./", "./");
  const auto file = "not_tuning." + std::to_string(test.size) + ".txt";
  if (test.rank == 0) std::ofstream(file) << "something else of the user's\n";
  MPI_Barrier(test.comm);
  refused(file.c_str(), "line 1");
  MPI_Barrier(test.comm);
  if (test.rank == 0) CHECK_EQUAL(text_of(file), "something else of the user's\n");
  if (test.rank == 0) std::remove(file.c_str());
}

WHERRY_TEST(who_does_not_come_to_a_first_call_is_named, ranks(2, 3).not_simulated("a rank stays away")) {
  const with_setting tune("coll_tune", "1", "0");
  with_new_communicator(test, [&](MPI_Comm comm) {
    int value = 1, sum = 0;
    const auto what = call::allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    for (int round = 0; round < 10; ++round) run(what);
    if (test.rank != 0) {
      const with_setting soon("timeout", "0.3", "0");
      try {
        run(what);
        CHECK_EQUAL(std::string("a sum without rank 0 has ended"), "");
      } catch (const wherry::error& failure) {
        CHECK(failure.kind() == error_kind::timeout);
      }
      try {
        run(what);
        CHECK_EQUAL(std::string("a collective goes on after one was given up"), "");
      } catch (const wherry::error& failure) {
        // Who compares calls first has given nothing up.
        CHECK(failure.kind() == (wherry::current_settings().check ? error_kind::timeout : error_kind::state));
      }
    }
    MPI_Barrier(test.comm);
  });
}
