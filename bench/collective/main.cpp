// bench_collective: compares every implementation of every collective with MPI's own call, by size, in one run. Buffers
// are in ordinary memory and are rewritten before each call; only the calls are timed. Each line of output is a record.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "count.hpp"
#include "harness/arguments.hpp"
#include "harness/collective_race.hpp"
#include "harness/contest.hpp"
#include "harness/listed_blocks.hpp"
#include "harness/machine.hpp"
#include "harness/neighbors.hpp"
#include "persistent.hpp"

namespace bench::collective {
namespace {

using wherry::collective::kind;

struct options {
  std::vector<std::string> collectives;  // all
  std::vector<int> sizes{8, 512, 4096, 32768, 262144, 1048576, 4194304};
  std::vector<std::string> implementations;  // empty: all that can do the call
  std::vector<std::string> topologies;       // if not empty: neighbourhood collectives in these topologies
  bool persistent = false;                   // persistent collectives
  double seconds = 0.5;
  std::FILE* out = stdout;
};

void compare(const options& given, kind what, std::size_t bytes, MPI_Comm comm, const std::string& where = {},
             lengths how = lengths::even) {
  const auto all = given.persistent ? race_of_persistent(what, comm, bytes, given.implementations, given.seconds)
                                    : race(what, comm, bytes, given.implementations, given.seconds, how);
  if (given.out == nullptr) return;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto title = std::string(name_of(what)) + where + " " + std::to_string(bytes);
  std::printf("%s bytes, %d ranks\n", title.c_str(), ranks);
  for (const auto& one : all)
    std::printf("  %-20s %12.2f us, ratio to MPI %.2f\n", one.name.c_str(), median(one.us),
                median(one.us) / median(all[1].us));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 1) continue;
    const auto record = comparison_record("collective", title, ranks, all[i], all[1]);
    if (given.out != stdout) record.write(given.out);
  }
  std::fflush(stdout);
}

/// Collectives with lists of counts are timed with even and with uneven counts.
void compare_in_world(const options& given, kind what, std::size_t bytes) {
  if (!has_lists(what)) return compare(given, what, bytes, MPI_COMM_WORLD, given.persistent ? "(persistent)" : "");
  for (const auto how : all_lengths)
    compare(given, what, bytes, MPI_COMM_WORLD, "(" + std::string(name_of(how)) + ")", how);
}

void compare_among_neighbors(const options& given, kind what, std::size_t bytes, const std::string& topology) {
  MPI_Comm comm = with_topology(topology, MPI_COMM_WORLD);
  compare(given, what, bytes, comm, "(" + topology + ")");
  MPI_Comm_free(&comm);
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.topologies = words.list("--topologies", given.topologies);
  check_topologies(given.topologies);
  const bool among_neighbors = !given.topologies.empty();
  given.persistent = words.flag("--persistent");
  const bool counts = words.flag("--count");
  for (const auto what : given.persistent ? kinds_of_persistent() : kinds_there_are(false))
    given.collectives.emplace_back(name_of(what));
  if (among_neighbors) given.collectives = {"neighbor_allgather", "neighbor_alltoall", "neighbor_alltoallv"};
  const auto names = words.list("--collectives", given.collectives);
  const auto kinds = among_neighbors ? timed_kinds_of_neighbors(names) : timed_kinds(names);
  if (given.persistent) check_persistent(kinds);
  given.sizes = checked_sizes(words.list("--sizes", given.sizes));
  given.implementations = words.list("--implementations", given.implementations);
  check_implementations(given.implementations);
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  if (counts) {
    const bool right = count(kinds, given.sizes, given.implementations, given.out);
    if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
    return right ? 0 : 1;
  }
  if (given.persistent && !mpi_has_persistent()) {
    if (mpi.rank() == 0) std::puts("this MPI has no persistent collectives");
    return 0;
  }
  for (const auto& topology : given.topologies)
    for (const auto what : kinds)
      for (const int bytes : given.sizes)
        compare_among_neighbors(given, what, static_cast<std::size_t>(bytes), topology);
  for (const auto what : kinds)
    for (const int bytes : given.sizes) {
      if (among_neighbors) break;
      compare_in_world(given, what, static_cast<std::size_t>(bytes));
      if (what == kind::barrier) break;
    }
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::collective

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::collective::run); }
