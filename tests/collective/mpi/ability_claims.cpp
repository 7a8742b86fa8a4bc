// What implementations say that they can do is what the tests' own list says, on communicators of all sorts.
#include <string>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "abilities.hpp"
#include "harness/harness.hpp"
#include "plain_calls.hpp"

using namespace wherry_test;
using wherry::collective::kind;

using collective_oracle::circumstances;
using collective_oracle::must_do;
using collective_oracle::plain_calls;

namespace {

#if defined(WHERRY_TEST_WITH_COARRAYS)
constexpr bool built_with_coarrays = true;
#else
constexpr bool built_with_coarrays = false;
#endif

void keep_the_right_one(void*, void*, int*, MPI_Datatype*) {}

void compare_with_the_list(MPI_Comm comm, const circumstances& given) {
  MPI_Op in_order = MPI_OP_NULL;
  MPI_Op_create(keep_the_right_one, 0, &in_order);
  for (const auto& row : wherry::collective::implementations_there_are()) {
    wherry::collective::run(wherry::collective::call::barrier(comm), row.name);  // sets up what it needs
    for (const bool commutes : {true, false}) {
      auto where = given;
      where.commutes = commutes;
      plain_calls calls(comm, where.size, commutes ? MPI_SUM : in_order);
      for (int k = 0; k <= static_cast<int>(kind::neighbor_alltoallw); ++k) {
        const auto what = static_cast<kind>(k);
        const auto says = wherry::collective::obstacle(calls.of(what), row.name);
        if (says.empty() == must_do(row.name, what, where)) continue;
        FAIL(std::string(row.name) + " and " + std::string(name_of(what)) + (commutes ? "" : ", in order") +
             (says.empty() ? ": does what is not in the list" : ": says: " + std::string(says)));
      }
      pass();
    }
  }
  MPI_Op_free(&in_order);
}

}  // namespace

WHERRY_TEST(implementations_are_those_of_the_list, ranks(1)) {
  std::vector<std::string> names;
  for (const auto& row : wherry::collective::implementations_there_are()) names.emplace_back(row.name);
  CHECK_EQUAL(names, (std::vector<std::string>{"mpi", "nonblocking", "shared", "hierarchical", "one_sided", "pgas",
                                               "coarray", "linear", "binomial", "chain", "scatter_allgather", "ring",
                                               "recursive_doubling", "recursive_halving", "rabenseifner", "bruck",
                                               "dissemination", "neighbor_exchange", "pairwise"}));
}

WHERRY_TEST(implementations_can_what_the_list_says,
            ranks(1, 2, 3, 4).not_simulated("what it tests is the same among few ranks")) {
  for (const int node_size : {0, 1, 2, 3}) {
    MPI_Comm comm = MPI_COMM_NULL, ring = MPI_COMM_NULL;
    wherry::configure("node_size", std::to_string(node_size));
    MPI_Comm_dup(test.comm, &comm);
    const int around = 1;
    MPI_Cart_create(test.comm, 1, &test.size, &around, 0, &ring);
    test.note("nodes of " + std::to_string(node_size));
    circumstances where{.size = test.size,
                        .one_node = node_size == 0 || node_size >= test.size,
                        .has_coarrays = built_with_coarrays && test.size > 1};
    compare_with_the_list(comm, where);
    where.has_neighbors = true;
    if (!wherry::detail::ranks_share_a_process) compare_with_the_list(ring, where);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&ring);
  }
  wherry::configure("node_size", "0");
}
