// bench_collective: every implementation of every collective beside MPI's own call, by size, in one run. Buffers are
// ordinary memory and rewritten before each call; what is timed are the calls. One record a line.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/collective_race.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"

namespace bench::collective {
namespace {

using wherry::collective::kind;

struct options {
  std::vector<std::string> collectives{
      "barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall", "gather", "scatter", "reduce_scatter_block",
      "scan"};
  std::vector<int> sizes{8, 512, 4096, 32768, 262144, 1048576, 4194304};
  std::vector<std::string> implementations;  // none: all that can
  double seconds = 0.5;
  std::FILE* out = stdout;
};

void compare(const options& given, kind what, std::size_t bytes) {
  const auto all = race(what, MPI_COMM_WORLD, bytes, given.implementations, given.seconds);
  if (given.out == nullptr) return;
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto title = std::string(name_of(what)) + " " + std::to_string(bytes);
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

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  const auto kinds = timed_kinds(words.list("--collectives", given.collectives));
  given.sizes = checked_sizes(words.list("--sizes", given.sizes));
  given.implementations = words.list("--implementations", given.implementations);
  check_implementations(given.implementations);
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  for (const auto what : kinds)
    for (const int bytes : given.sizes) {
      compare(given, what, static_cast<std::size_t>(bytes));
      if (what == kind::barrier) break;
    }
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::collective

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::collective::run); }
