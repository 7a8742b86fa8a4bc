// Every public wait, with a rank that never comes: it ends by WHERRY_TIMEOUT with an error that names the rank, and by
// its own limit, where it has one, without an error. A wait that has lost its limit hangs, and the harness tells which.
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "harness/patient.hpp"
#include "scene.hpp"
#include "support/absent_rank.hpp"
#include "support/case_runner.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace waits {

scene::scene(const context& where, int late_one, int ranks_a_node) : test(where), late(late_one) {
  const with_setting nodes("node_size", ranks_a_node == 1 ? "1" : "0", "0");
  MPI_Comm_dup(test.comm, &users);
  comm = std::make_unique<wherry::communicator>(users);
}

scene::~scene() {
  const with_setting limit("timeout", "1", "0");  // what one rank has given up the other may not know of
  while (!kept_.empty()) kept_.pop_back();        // the last one first
  comm.reset();
  MPI_Comm_free(&users);
  patient_barrier(test.comm);
  std::error_code ignored;
  if (rank() == 0)
    for (const auto& path : files_) std::filesystem::remove(path, ignored);
}

std::string scene::file(const std::string& name) {
  int process = static_cast<int>(getpid());
  MPI_Bcast(&process, 1, MPI_INT, 0, test.comm);
  files_.push_back((std::filesystem::temp_directory_path() / (name + "." + std::to_string(process))).string());
  return files_.back();
}

}  // namespace waits

using namespace waits;

namespace {

// The wait's own limit is no error.
void gives_up(const std::string& title, const std::function<bool(double)>& within) {
  try {
    if (fault(within(0.01))) FAIL(title + ": something has come");
    pass();
  } catch (const std::exception& failure) {
    FAIL(title + ": with a limit of its own: " + failure.what());
  }
}

void stay_away(const context& test, absent_rank& absent, const waiting& what, int ranks_a_node) {
  const int late = what.who == late_rank::first ? 0 : test.size - 1;
  const auto title = what.name + (ranks_a_node == 1 ? ", each rank a node" : ", one node");
  test.note(title);
  std::optional<with_setting> statistics;
  if (what.measured) statistics.emplace("stats", "1", "0");
  scene here(test, late, ranks_a_node);
  const auto made = what.prepare(here);
  absent.during(late, [&] {
    if (made.by_rank_0_alone && test.rank != 0) return;
    const with_setting soon("timeout", "0.05", "0");
    if (made.within) gives_up(title, made.within);
    // Of three ranks the third one waits, too, and may be missed first.
    const bool is_named = what.named == names::the_late_rank && test.size == 2;
    if (made.wait) ends_in_time(title, is_named ? late : -1, made.wait);
    if (what.measured && !CHECK(made.seconds_waiting() > 0.04)) FAIL(title + ": its seconds are not counted");
  });
  // It comes too late, and may hear so; the others have gone on. Then MPI has nothing under way that only some began.
  if (here.is_late() && made.wait && !made.by_rank_0_alone && what.named == names::the_late_rank) {
    const with_setting soon("timeout", "0.1", "0");
    try {
      made.wait();
    } catch (const wherry::error&) {
    }
  }
  patient_barrier(test.comm);
  if (made.afterwards) made.afterwards();
}

// MPI_Win_flush of MPICH 4.0 and of Open MPI 5 returns when its target has called MPI, and nothing ends it before
// (docs/notify.md).
#if defined(MPICH_VERSION) || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
constexpr bool flush_needs_target = true;
#else
constexpr bool flush_needs_target = false;
#endif

/// Between nodes, by a window of MPI's.
bool flushes(const waiting& what, int ranks_a_node) { return ranks_a_node == 1 && what.by_window; }

/// @param with_flushes only the waits in MPI_Win_flush; else all others
void stay_away_from_all(const context& test, const std::vector<waiting>& list, bool with_flushes = false) {
  absent_rank absent(test);
  for (const auto& what : list)
    for (const int ranks_a_node : {0, 1}) {
      if (ranks_a_node == 1 && what.name.find("shared") != std::string::npos) continue;  // it reaches its node alone
      if (flushes(what, ranks_a_node) == with_flushes) stay_away(test, absent, what, ranks_a_node);
    }
}

}  // namespace

// Of three in a ring not every rank waits for each.
WHERRY_TEST(waits_for_exchanges_end_in_time, ranks(2).not_simulated("a rank stays away")) {
  std::vector<waiting> list;
  add_exchanges(list, usable_transports(test.comm));
  stay_away_from_all(test, list);
}

WHERRY_TEST(waits_for_agreements_and_files_end_in_time, ranks(2, 3).not_simulated("a rank stays away")) {
  std::vector<waiting> list;
  add_agreements(list);
  stay_away_from_all(test, list);
}

WHERRY_TEST(waits_of_what_notifies_end_in_time, ranks(2, 3).not_simulated("a rank stays away")) {
  std::vector<waiting> list;
  add_segments(list);
  stay_away_from_all(test, list);
}

WHERRY_TEST(waits_for_flushes_end_in_time, ranks(2).not_simulated("a rank stays away")) {
  if (flush_needs_target) test.skip("MPI_Win_flush of this MPI waits until its target calls MPI");
  std::vector<waiting> list;
  add_exchanges(list, usable_transports(test.comm));
  add_segments(list);
  stay_away_from_all(test, list, true);
}

WHERRY_TEST(waits_for_streams_end_in_time, ranks(2, 3).not_simulated("a rank stays away")) {
  std::vector<waiting> list;
  add_streams(list);
  stay_away_from_all(test, list);
}
