// A collective that is called again allocates nothing, whatever its datatypes and counts: what it needs for a while
// comes from the communicator's pool.
#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/settings.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/counted_allocations.hpp"

using namespace wherry_test;
using collective_oracle::random_trial;
using wherry::collective::kind;

namespace {

/// Of this rank, in calls that repeat themselves.
void allocate_nothing(context& test, MPI_Comm comm, std::string_view name) {
  for (int k = 0; k < static_cast<int>(kind::neighbor_allgather); ++k) {
    const auto title = std::string(name) + " " + std::string(name_of(static_cast<kind>(k)));
    test.note(title);
    random_numbers random(hash(test.seed, k));
    for (int round = 0; round < 2; ++round) {
      const auto one =
          random_trial(random, static_cast<kind>(k), comm, random.one_of({1, 7, 700, test.size > 3 ? 700 : 5000}));
      if (!wherry::collective::obstacle(one->what, name).empty()) continue;
      for (int warm = 0; warm < 2; ++warm) wherry::collective::run(one->what, name);
      long more = allocations;  // in the call that took fewest: who waits for long looks who is missing, which does
      for (int again = 0; again < 3; ++again) {
        const long before = allocations;
        wherry::collective::run(one->what, name);
        more = std::min(more, allocations - before);
      }
      if (fault(more != 0)) CHECK_EQUAL(title + " (" + one->name + "): " + std::to_string(more) + " allocations", "");
    }
  }
}

}  // namespace

WHERRY_TEST(calls_that_repeat_themselves_allocate_nothing,
            ranks(1, 2, 3, 4, 8).not_simulated("ranks of one process allocate together")) {
  for (const std::string_view name : {"shared", "linear", "binomial", "chain", "ring", "recursive_doubling",
                                      "rabenseifner", "pairwise", "bruck", "one_sided", "pgas"})
    allocate_nothing(test, test.comm, name);
}

WHERRY_TEST(calls_between_nodes_allocate_nothing,
            ranks(2, 3, 4, 8).not_simulated("ranks of one process allocate together")) {
  wherry::configure("node_size", "2");
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &comm);
  allocate_nothing(test, comm, "hierarchical");
  MPI_Comm_free(&comm);
  wherry::configure("node_size", "0");
}
