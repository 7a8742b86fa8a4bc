// What a tuning file says is done by all ranks, of every collective: where all know how long all blocks are by their
// sum, where they do not by one implementation for all sizes.
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/random.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using collective_oracle::random_trial;
using wherry::collective::call;
using wherry::collective::explain;
using wherry::collective::kind;
using wherry::collective::run;

namespace {

/// Calls `body(comm)`, of a new communicator, while that is the tuning file.
template <class Body> void tuned(const context& test, const std::string& rules, Body&& body) {
  const auto file = wherry::detail::text("tuning_of_all.", test.size, ".txt");
  if (test.rank == 0) std::ofstream(file) << "on " << test.size << " ranks, 1 nodes\n" << rules;
  MPI_Barrier(test.comm);
  const with_setting by("coll_tuning", file.c_str(), "");
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  body(comm);
  MPI_Comm_free(&comm);
  MPI_Barrier(test.comm);
  if (test.rank == 0) std::remove(file.c_str());
}

/// A block for each rank, those of later ranks longer; `more` in the last one. Calls with them.
struct blocks {
  blocks(const context& test, int more) : rank(test.rank), size(test.size) {
    for (int r = 0; r < size; ++r) {
      counts.push_back(3 * r + (r == size - 1 ? more : 0));
      places.push_back(r == 0 ? 0 : places.back() + counts[static_cast<std::size_t>(r) - 1]);
    }
    total = std::accumulate(counts.begin(), counts.end(), 0);
    all.assign(static_cast<std::size_t>(total) + 1, 1.0);
    own.assign(all.size(), 1.0);
    // What goes to a rank is as long as its number says, whoever sends it: of an alltoall it gets that from each.
    const int mine = counts[static_cast<std::size_t>(rank)];
    for (int r = 0; r < size; ++r) from_each.push_back(mine), at_each.push_back(r * mine);
    each.assign(static_cast<std::size_t>(size * mine) + 1, 0.0);
  }
  int mine() const { return counts[static_cast<std::size_t>(rank)]; }
  call allgatherv(MPI_Comm comm) {
    return call::allgatherv(own.data(), mine(), MPI_DOUBLE, all.data(), counts.data(), places.data(), MPI_DOUBLE, comm);
  }
  call reduce_scatter(MPI_Comm comm) {
    return call::reduce_scatter(all.data(), own.data(), counts.data(), MPI_DOUBLE, MPI_SUM, comm);
  }
  call gatherv(MPI_Comm comm) {
    return call::gatherv(own.data(), mine(), MPI_DOUBLE, all.data(), counts.data(), places.data(), MPI_DOUBLE, 0, comm);
  }
  call scatterv(MPI_Comm comm) {
    return call::scatterv(all.data(), counts.data(), places.data(), MPI_DOUBLE, own.data(), mine(), MPI_DOUBLE, 0,
                          comm);
  }
  call alltoallv(MPI_Comm comm) {
    return call::alltoallv(all.data(), counts.data(), places.data(), MPI_DOUBLE, each.data(), from_each.data(),
                           at_each.data(), MPI_DOUBLE, comm);
  }

  int rank, size, total = 0;
  std::vector<int> counts, places, from_each, at_each;
  std::vector<double> all, own, each;
};

}  // namespace

WHERRY_TEST(a_tuning_file_says_who_does_every_collective, ranks(1, 2, 3, 4).not_simulated(one_environment)) {
  constexpr int first_of_neighbours = static_cast<int>(kind::neighbor_allgather);
  std::string rules;
  for (int k = 0; k < first_of_neighbours; ++k)
    rules += wherry::detail::text(name_of(static_cast<kind>(k)), " 0 linear\n");
  tuned(test, rules, [&](MPI_Comm comm) {
    random_numbers random(test.seed);
    for (int k = 0; k < first_of_neighbours; ++k)
      for (int round = 0; round < 8; ++round) {
        const auto one = random_trial(random, static_cast<kind>(k), comm, random.one_of({1, 7, 700}));
        test.note(one->name);
        const bool can = wherry::collective::obstacle(one->what, "linear").empty();
        CHECK(explain(one->what).find("chosen by the tuning file") != std::string::npos);
        CHECK_EQUAL(run(one->what), can ? std::string_view("linear") : std::string_view("mpi"));
        CHECK_EQUAL(one->verdict(), std::string());
        if (one->what.op == MPI_OP_NULL) CHECK(can);
      }
  });
}

WHERRY_TEST(where_all_know_all_lengths_their_sum_decides, ranks(1, 2, 3, 4).not_simulated(one_environment)) {
  blocks shorter(test, 99), longer(test, 100);
  const auto from = longer.total * sizeof(double);
  const auto rules = wherry::detail::text("allgatherv 0 ring\nallgatherv ", from,
                                          " linear\nreduce_scatter 0 pairwise\n", "reduce_scatter ", from, " linear\n");
  tuned(test, rules, [&](MPI_Comm comm) {
    CHECK_EQUAL(run(shorter.allgatherv(comm)), "ring");
    CHECK_EQUAL(run(longer.allgatherv(comm)), "linear");
    CHECK_EQUAL(run(shorter.reduce_scatter(comm)), "pairwise");
    CHECK_EQUAL(run(longer.reduce_scatter(comm)), "linear");
    for (int i = 0; i < longer.mine(); ++i) CHECK_EQUAL(longer.own[static_cast<std::size_t>(i)], 1.0 * test.size);
  });
}

WHERRY_TEST(where_not_all_know_all_lengths_the_rule_from_0_bytes_decides,
            ranks(1, 2, 3, 4).not_simulated(one_environment)) {
  blocks shorter(test, 1), longer(test, 1000);
  const std::string rules =
      "gatherv 0 linear\ngatherv 8 mpi\nscatterv 0 linear\nscatterv 8 mpi\nalltoallv 0 pairwise\nalltoallv 8 mpi\n";
  tuned(test, rules, [&](MPI_Comm comm) {
    for (auto* one : {&shorter, &longer}) {
      CHECK_EQUAL(run(one->gatherv(comm)), "linear");
      CHECK_EQUAL(run(one->scatterv(comm)), "linear");
      CHECK_EQUAL(run(one->alltoallv(comm)), "pairwise");
    }
  });
}
