// Every collective by every implementation of ours, with a rank that does not come: in its first call, and when the
// same call has been made before.
#include <mpi.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"

#include "abilities.hpp"
#include "harness/harness.hpp"
#include "plain_calls.hpp"
#include "support/absent_rank.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using collective_oracle::circumstances;
using collective_oracle::plain_calls;
using wherry::collective::kind;

namespace {

constexpr kind last_kind = kind::neighbor_alltoallw;

bool is_of_neighbors(kind what) { return what >= kind::neighbor_allgather; }

// Of calls that go one way somebody waits for the late rank: for a root that sends, or at the root; and in scans, which
// go from rank to rank, where rank 0 is late.
struct roles {
  int late, root;
  bool waits(kind what, int rank) const {
    const bool at_root = what == kind::gather || what == kind::gatherv || what == kind::reduce;
    return rank != late && (!at_root || rank == root);
  }
};

roles roles_of(kind what, int size) {
  const int last = size - 1;
  if (what == kind::scan || what == kind::exscan) return {0, 0};
  if (what == kind::bcast || what == kind::scatter || what == kind::scatterv) return {last, last};
  return {last, 0};
}

enum class way { run, begin, persistent };

void call_it(const wherry::collective::call& what, std::string_view by, way how) {
  switch (how) {
    case way::run:
      wherry::collective::run(what, by);
      return;
    case way::begin:
      wherry::collective::start(what, {.implementation = by}).wait();
      return;
    case way::persistent:
      wherry::collective::persistent(what, {.implementation = by})();
  }
}

void stay_away(const context& test, absent_rank& absent, std::string_view by, kind what, int calls_before, way how) {
  const auto title =
      std::string(by) + ", " + std::string(name_of(what)) + (calls_before > 0 ? ", again" : ", at first");
  test.note(title);
  MPI_Comm comm = MPI_COMM_NULL;
  const int around = 1;
  if (is_of_neighbors(what))
    MPI_Cart_create(test.comm, 1, &test.size, &around, 0, &comm);
  else
    MPI_Comm_dup(test.comm, &comm);
  const auto [late, root] = roles_of(what, test.size);
  plain_calls calls(comm, test.size, MPI_SUM, root);
  wherry::collective::run(wherry::collective::call::barrier(comm), by);  // makes windows and boards
  const auto why_not = wherry::collective::obstacle(calls.of(what), by);
  if (fault(!why_not.empty())) FAIL(title + ": says: " + std::string(why_not));  // MPI would do it, and wait for ever
  for (int i = 0; i < calls_before; ++i) call_it(calls.of(what), by, how);
  absent.during(late, [&] {
    if (!why_not.empty() || !roles{late, root}.waits(what, test.rank)) return;
    const with_setting soon("timeout", "0.05", "0");
    // In a tree a rank may wait for another one that waits, and names that.
    ends_in_time(title, test.size == 2 ? late : -1, [&] {
      for (int i = 0; i < 200; ++i) call_it(calls.of(what), by, how);  // a few leave before anybody has come
    });
  });
  // What was given up by one rank, and is not known to the other, may be waited for here once more.
  const with_setting limit("timeout", "1", "0");
  MPI_Comm_free(&comm);
}

}  // namespace

WHERRY_TEST(every_collective_ends_in_time, ranks(2, 3).not_simulated("a rank stays away")) {
#if defined(WHERRY_TEST_WITH_COARRAYS)
  constexpr bool coarrays = true;
#else
  constexpr bool coarrays = false;
#endif
  absent_rank absent(test);
  int turn = 0;
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (row.name == "mpi" || row.name == "nonblocking") continue;  // they cannot tell who is late
    for (int k = 0; k <= static_cast<int>(last_kind); ++k) {
      const auto what = static_cast<kind>(k);
      const circumstances where{.size = test.size, .has_coarrays = coarrays, .has_neighbors = is_of_neighbors(what)};
      if (!collective_oracle::must_do(row.name, what, where)) continue;
      // A coarray has room for four communicators, and what was given up keeps its part.
      if (row.name == "coarray" && what != kind::barrier && what != kind::bcast && what != kind::allreduce) continue;
      // Those that are short in shared memory take a way of their own, once they have been called before.
      if (row.name == "shared") {
        stay_away(test, absent, row.name, what, 3, way::run);
        constexpr std::pair<int, way> others[] = {{0, way::run}, {3, way::begin}, {3, way::persistent}};
        const auto [before, how] = others[static_cast<std::size_t>(k + test.size) % std::size(others)];
        stay_away(test, absent, row.name, what, before, how);
      } else {
        stay_away(test, absent, row.name, what, turn % 2 == 0 ? 0 : 3, static_cast<way>(turn % 3));
        ++turn;
      }
    }
  }
}
