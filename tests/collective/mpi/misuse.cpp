// Wrong arguments, ranks that disagree or do not come, choices, and what is said of them.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/collective/usage.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/node_memory.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

/// A wait for this rank is given up; -1: nothing goes on after that.
template <class Call> void is_given_up(Call&& made, int missing) {
  try {
    made();
    CHECK_EQUAL(std::string("it has ended"), "");
  } catch (const wherry::error& failure) {
    CHECK(failure.kind() == (missing >= 0 ? error_kind::timeout : error_kind::state));
    if (missing >= 0) CHECK_EQUAL(failure.peers(), std::vector<int>{missing});
  }
}

}  // namespace

WHERRY_TEST(wrong_arguments_are_named_before_anything_is_sent, ranks(1, 2, 3)) {
  std::vector<int> some(static_cast<std::size_t>(test.size) * 4, 1), counts(static_cast<std::size_t>(test.size), 1);
  const auto refused = [&](const char* words, const call& what) {
    all_throw(test, words, error_kind::argument, words, [&] { wherry::collective::run(what, "shared"); });
    all_throw(test, words, error_kind::argument, words, [&] { wherry::collective::start(what); });
  };
  int* const at = some.data();
  refused("'root' is 1700", call::bcast(at, 1, MPI_INT, 1700, test.comm));
  refused("'root' is -1", call::reduce(at, at + 1, 1, MPI_INT, MPI_SUM, -1, test.comm));
  refused("'count' is -3", call::allreduce(MPI_IN_PLACE, at, -3, MPI_INT, MPI_SUM, test.comm));
  refused("'op' is MPI_OP_NULL", call::scan(at, at + 1, 1, MPI_INT, MPI_OP_NULL, test.comm));
  refused("'receive_type' is MPI_DATATYPE_NULL",
          call::allgather(at, 1, MPI_INT, at + 1, 1, MPI_DATATYPE_NULL, test.comm));
  refused("'receive_counts' is null",
          call::allgatherv(at, 1, MPI_INT, at + 1, nullptr, counts.data(), MPI_INT, test.comm));
  // Equal figures as in the call before, which may be decided already.
  wherry::collective::run(call::allreduce(at, at + 1, 1, MPI_INT, MPI_SUM, test.comm));
  all_throw(test, "null after the same", error_kind::argument, "'receive' is null",
            [&] { wherry::collective::run(call::allreduce(at, nullptr, 1, MPI_INT, MPI_SUM, test.comm)); });
  counts.back() = -2;
  refused("]' is -2", call::reduce_scatter(at, at + 1, counts.data(), MPI_INT, MPI_SUM, test.comm));
  all_throw(test, "unknown", error_kind::argument, "there is no implementation named 'fastest'",
            [&] { wherry::collective::run(call::barrier(test.comm), "fastest"); });
  try {
    wherry::collective::run(call::barrier(MPI_COMM_NULL));
    CHECK_EQUAL(std::string("a collective of no communicator"), "");
  } catch (const wherry::error& failure) {
    CHECK(std::string(failure.what()).find("MPI_COMM_NULL") != std::string::npos);
  }
}

WHERRY_TEST(ranks_that_mean_different_calls_are_told_both, ranks(2, 3, 4)) {
  const with_setting checked("check", "1", "0");
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  std::vector<int> some(100, 1), counts(static_cast<std::size_t>(test.size), 1), places(counts);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i) * 2;
  const bool last = test.rank == test.size - 1;
  all_throw(test, "roots", error_kind::mismatch, "'root'",
            [&] { wherry::collective::run(call::bcast(some.data(), 1, MPI_INT, last ? 1 : 0, comm)); });
  all_throw(test, "bytes", error_kind::mismatch, "bytes", [&] {
    wherry::collective::run(call::allreduce(MPI_IN_PLACE, some.data(), last ? 3 : 4, MPI_INT, MPI_SUM, comm));
  });
  all_throw(test, "operations", error_kind::mismatch, "'op'", [&] {
    wherry::collective::run(call::allreduce(MPI_IN_PLACE, some.data(), 4, MPI_INT, last ? MPI_MAX : MPI_SUM, comm));
  });
  all_throw(test, "numbers", error_kind::mismatch, "the numbers of an element", [&] {
    wherry::collective::run(call::scan(MPI_IN_PLACE, some.data(), 4, last ? MPI_FLOAT : MPI_INT, MPI_SUM, comm));
  });
  all_throw(test, "implementations", error_kind::mismatch, "the implementation that the caller has named", [&] {
    wherry::collective::run(call::allreduce(MPI_IN_PLACE, some.data(), 4, MPI_INT, MPI_SUM, comm),
                            last ? "ring" : "linear");
  });
  all_throw(test, "collectives", error_kind::mismatch, "'barrier'", [&] {
    wherry::collective::run(last ? call::barrier(comm) : call::bcast(some.data(), 0, MPI_INT, 0, comm));
  });
  all_throw(test, "counts", error_kind::mismatch, "bytes", [&] {
    std::vector<int> from(100, 1);
    if (last) counts.front() = 2;  // rank 0 expects one
    wherry::collective::run(call::alltoallv(from.data(), counts.data(), places.data(), MPI_INT, some.data(),
                                            std::vector<int>(counts.size(), 1).data(), places.data(), MPI_INT, comm));
  });
  std::vector<int> sum(1, 1);
  wherry::collective::run(call::allreduce(MPI_IN_PLACE, sum.data(), 1, MPI_INT, MPI_SUM, comm));  // all goes on
  CHECK_EQUAL(sum[0], test.size);
  MPI_Comm_free(&comm);
}

WHERRY_TEST(who_does_not_come_is_named, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  for (const char* name : {"shared", "linear", "binomial"}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    wherry::collective::run(call::barrier(comm));
    if (test.rank != 0) {
      const with_setting soon("timeout", "0.3", "0");
      int value = 0;
      try {
        wherry::collective::run(call::bcast(&value, 1, MPI_INT, 0, comm), name);
        CHECK_EQUAL(std::string("a broadcast without its root has ended"), "");
      } catch (const wherry::error& failure) {
        CHECK(failure.kind() == error_kind::timeout);
        if (test.size == 2) CHECK_EQUAL(failure.peers(), std::vector<int>{0});
      }
      try {
        wherry::collective::run(call::bcast(&value, 1, MPI_INT, 0, comm), name);
        CHECK_EQUAL(std::string("a collective goes on after one was given up"), "");
      } catch (const wherry::error& failure) {
        CHECK(failure.kind() == error_kind::state);
        CHECK(std::string(failure.what()).find("given up") != std::string::npos);
      }
    }
    MPI_Barrier(test.comm);
    int value = 7;
    MPI_Bcast(&value, 1, MPI_INT, 0, comm);  // MPI's own go on
    MPI_Comm_free(&comm);
  }
}

// Who does what MPI alone knows is not named, but nobody waits for ever; and MPI's own calls still match afterwards.
WHERRY_TEST(mpis_own_collectives_end_in_time, ranks(2, 3, 4).not_simulated("a rank stays away")) {
  for (const char* name : {"mpi", "nonblocking"}) {
    const char* const in_time = test.rank != 0 ? "20" : "0";
    const with_setting limit("timeout", in_time,
                             "0");  // where one rank has a limit when a communicator is set up, all heed it
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    wherry::collective::run(call::barrier(comm), name);
    static std::map<std::pair<std::string, int>, int> values;  // MPI writes to them when the root comes
    int& value = values[{name, test.size}] = test.rank == 0 ? 7 : 0;
    const auto bcast = call::bcast(&value, 1, MPI_INT, 0, comm);
    if (test.rank != 0) {
      const with_setting soon("timeout", "0.3", in_time);
      try {
        wherry::collective::run(bcast, name);
        CHECK_EQUAL(std::string("a broadcast without its root has ended"), "");
      } catch (const wherry::error& failure) {
        CHECK(failure.kind() == error_kind::timeout);
        CHECK(std::string(failure.what()).find("collective number 2 waited longer") != std::string::npos);
      }
    }
    MPI_Barrier(test.comm);
    if (test.rank == 0) wherry::collective::run(bcast, name);  // it comes at last
    int sum = 1;
    wherry::collective::run(call::allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm), "mpi");
    CHECK_EQUAL(sum, test.size);
    for (int there = 0; *static_cast<volatile int*>(&value) != 7;)
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &there, MPI_STATUS_IGNORE);
    MPI_Barrier(test.comm);
    MPI_Comm_free(&comm);
  }
}

WHERRY_TEST(who_does_not_come_to_read_what_the_node_shares_is_named,
            ranks(2, 3, 4).not_simulated("a rank stays away")) {
  const with_setting in_place("one_copy_row", "1", "0");  // however far apart the ranks are
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  wherry::collective::run(call::barrier(comm));
  const int away = test.size - 1, count = 1 << 18;
  {
    const wherry::communicator node(test.comm);
    const wherry::node_memory memory(node, static_cast<std::size_t>(count));
    if (test.rank != away) {
      const with_setting soon("timeout", "0.3", "0");
      const auto what = call::bcast(memory.data(), count, MPI_BYTE, 0, comm);
      if (test.rank == 0) {  // it has shown all, and waits for who reads it
        is_given_up([&] { wherry::collective::run(what, "shared"); }, away);
        is_given_up([&] { wherry::collective::run(what, "shared"); }, -1);
      } else {
        wherry::collective::run(what, "shared");
      }
    }
    MPI_Barrier(test.comm);  // nobody reads memory that is gone
  }
  MPI_Comm_free(&comm);
}

WHERRY_TEST(choices_are_obeyed_and_explained, ranks(1, 2, 3)) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  std::vector<int> some(10'000, 1), result(some);
  const auto sum = [&](int count) {
    return call::allreduce(some.data(), result.data(), count, MPI_INT, MPI_SUM, comm);
  };
  wherry::collective::choose(comm, kind::allreduce, "binomial");
  wherry::collective::choose(comm, kind::allreduce, "ring", 1000);
  CHECK_EQUAL(wherry::collective::run(sum(1)), "binomial");
  CHECK_EQUAL(wherry::collective::run(sum(250)), "ring");
  wherry::collective::choose(comm, kind::allreduce, "recursive_doubling", 1000);
  CHECK_EQUAL(wherry::collective::run(sum(250)), "recursive_doubling");  // though the last call said the same
  CHECK_EQUAL(wherry::collective::explain(sum(1)), "binomial: chosen by the program");
  CHECK(
      wherry::collective::explain(call::scan(some.data(), result.data(), 1, MPI_INT, MPI_SUM, comm)).find("defaults") !=
      std::string::npos);
  wherry::collective::choose(comm, kind::scan, "ring");
  CHECK_EQUAL(wherry::collective::explain(call::scan(some.data(), result.data(), 1, MPI_INT, MPI_SUM, comm)),
              "mpi: ring, chosen by the program, cannot: there is no such algorithm for it");
  all_throw(test, "nobody", error_kind::argument, "'fastest'",
            [&] { wherry::collective::choose(comm, kind::bcast, "fastest"); });
  const auto used = wherry::collective::usage_so_far();
  CHECK(std::any_of(used.begin(), used.end(), [](const auto& row) {
    return row.what == kind::allreduce && row.implementation == "ring" && row.calls >= 1;
  }));
  MPI_Comm_free(&comm);
}

WHERRY_TEST(settings_and_tuning_files_choose, ranks(1, 2, 3).not_simulated(one_environment)) {
  const auto with_new_communicator = [&](auto&& body) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    body(comm);
    MPI_Comm_free(&comm);
  };
  int value = 0;
  const auto bcast = [&](MPI_Comm comm, int count) { return call::bcast(&value, count, MPI_INT, 0, comm); };
  {
    const with_setting all("coll", "linear", ""), one("coll_bcast", "binomial", "");
    with_new_communicator([&](MPI_Comm comm) {
      CHECK_EQUAL(wherry::collective::run(bcast(comm, 1)), "binomial");
      CHECK_EQUAL(wherry::collective::run(call::barrier(comm)), "linear");
    });
  }
  {
    const with_setting wrong("coll_bcast", "fastest", "");
    with_new_communicator([&](MPI_Comm comm) {
      all_throw(test, "a setting", error_kind::argument, "names 'fastest'",
                [&] { wherry::collective::run(bcast(comm, 1)); });
    });
  }
  const std::string file = "tuning." + std::to_string(test.size) + ".txt";
  const auto tuned = [&](const std::string& words, auto&& body) {
    if (test.rank == 0) std::ofstream(file) << words;
    MPI_Barrier(test.comm);
    const with_setting by("coll_tuning", file.c_str(), "");
    with_new_communicator(body);
    MPI_Barrier(test.comm);
  };
  const auto ours = "on " + std::to_string(test.size) + " ranks, 1 nodes\n";
  tuned("# a comment\non 77 ranks, 1 nodes\nbcast 0 chain\n" + ours + "bcast 0 linear  # here\n\nbcast 4 binomial\n",
        [&](MPI_Comm comm) {
          CHECK_EQUAL(wherry::collective::run(bcast(comm, 0)), "linear");
          CHECK_EQUAL(wherry::collective::explain(bcast(comm, 1)), "binomial: chosen by the tuning file");
        });
  const std::vector<std::pair<std::string, const char*>> wrong{
      {ours + "bcast 0 fastest\n", "fastest"}, {ours + "broadcast 0 mpi\n", "line 2"},
      {ours + "bcast -1 mpi\n", "line 2"},     {ours + "bcast 0\n", "line 2"},
      {"on a lot of ranks\n", "line 1"},       {std::string(5000, '\1'), "line 1"}};
  for (const auto& one : wrong)
    tuned(one.first, [&](MPI_Comm comm) {
      const auto* const says = one.second;
      all_throw(test, says, error_kind::argument, says, [&] { wherry::collective::run(bcast(comm, 1)); });
    });
  {
    const with_setting missing("coll_tuning", "/nowhere/at/all", "");
    with_new_communicator([&](MPI_Comm comm) {
      all_throw(test, "no file", error_kind::resource, "/nowhere/at/all",
                [&] { wherry::collective::run(bcast(comm, 1)); });
    });
  }
  if (test.rank == 0) std::remove(file.c_str());
}
