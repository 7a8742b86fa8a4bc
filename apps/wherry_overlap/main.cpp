// wherry_overlap: how much of a collective can be hidden behind computation. CRESTA, section 3.3.2:
//
//   O = (C + N) - T,   ovl% = 100 O / min(C, N)
//
// C is the time of the computation alone, N that of the collective alone, and T that of both: begin, compute, end. If a
// progress thread computes beside the program all the time, C grows too, and the formula reports an overlap that does
// not exist. So C is also measured in the process before any part of Wherry runs in it, and the honest figure is T /
// (C_clean + N), which shows the gain of the program.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "harness/arguments.hpp"
#include "harness/collective_race.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/ratios.hpp"
#include "harness/text.hpp"
#include "plot.hpp"

namespace {

using wherry::collective::kind;

constexpr const char* usage =
    "usage: mpirun -n RANKS wherry_overlap [--collectives allreduce,alltoall] [--sizes 8,1024,…]\n"
    "                      [--implementations mpi,shared,…] [--polls N] [--rounds N] [--out FILE]\n"
    "                      [--plot FILE.svg]\n"
    "Computes about as long as each collective takes, alone and while it is under way. --polls: how often the\n"
    "computation asks it to go on (0: not at all). --out: the figures also as JSON, one a line. --plot:\n"
    "the paper's figure 5, and below it what a program gains.\n";

/// Work that needs only a register or two, in steps of about a tenth of a microsecond.
class computation {
 public:
  void step() {
    for (int i = 0; i < 64; ++i) value_ = value_ * 1.0000001 + 1e-9;
  }
  template <class Between> double seconds(long steps, int polls, Between&& between) {
    const double began = MPI_Wtime();
    const long each = polls > 0 ? std::max<long>(1, steps / (polls + 1)) : steps;
    for (long done = 0; done < steps; ++done) {
      step();
      if (polls > 0 && done % each == each - 1) between();
    }
    return MPI_Wtime() - began;
  }
  double value() const { return value_; }

 private:
  double value_ = 1;
};

/// The microseconds of a step in a process in which nothing else has run yet.
double clean_step(computation& compute) {
  std::vector<double> us;
  for (int i = 0; i < 21; ++i) us.push_back(1e6 * compute.seconds(10'000, 0, [] {}) / 10'000);
  return bench::median(us);
}

struct figures {
  double clean = 0, alone = 0, network = 0, both = 0;  // microseconds

  double gained() const { return alone + network - both; }
  double percent() const { return 100 * gained() / std::min(alone, network); }
  double honest() const { return both / (clean + network); }
};

double slowest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

figures measure(const wherry::collective::call& what, const std::string& by, computation& compute, double step_us,
                int polls, int rounds) {
  std::vector<double> alone, network, both;
  const auto begin = [&] { return wherry::collective::start(what, {.implementation = by}); };
  for (int i = 0; i < 5; ++i) begin().wait();
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    begin().wait();
    network.push_back(1e6 * slowest(MPI_Wtime() - began));
  }
  figures f;
  f.network = bench::median(network);
  const long steps = std::max<long>(1, static_cast<long>(f.network / step_us));
  for (int i = 0; i < rounds; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    alone.push_back(1e6 * slowest(compute.seconds(steps, 0, [] {})));
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    auto under_way = begin();
    compute.seconds(steps, polls, [&] { under_way.test(); });
    under_way.wait();
    both.push_back(1e6 * slowest(MPI_Wtime() - began));
  }
  f.clean = static_cast<double>(steps) * step_us;
  f.alone = bench::median(alone);
  f.both = bench::median(both);
  return f;
}

void print_head() {
  std::printf("%-22s %9s %-18s %9s %9s %9s %9s %9s %7s %12s\n", "collective", "bytes", "implementation", "C_clean", "C",
              "N", "T", "O", "ovl%", "T/(C_clean+N)");
}

/// Prints a line, and writes a record to `file`, which may be null.
void print(kind what, int bytes, const std::string& by, const figures& f, int polls, std::FILE* file) {
  const std::string name(name_of(what));
  std::printf("%-22s %9d %-18s %9.2f %9.2f %9.2f %9.2f %9.2f %7.0f %12.2f\n", name.c_str(), bytes, by.c_str(), f.clean,
              f.alone, f.network, f.both, f.gained(), f.percent(), f.honest());
  std::fflush(stdout);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto record = bench::record("overlap").add("collective", name).add("bytes", bytes).add("by", by).add("polls", polls);
  record.add("ranks", ranks).add("clean_us", f.clean).add("alone_us", f.alone).add("network_us", f.network);
  record.add("both_us", f.both).add("overlap_percent", f.percent()).add("honest", f.honest()).write(file);
}

void draw(const std::string& file, const std::vector<overlap::finding>& found, int polls) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto asked = polls > 0 ? bench::text(", asked ", polls, polls == 1 ? " time" : " times") : std::string();
  const auto title = bench::text("What ", ranks, ranks == 1 ? " rank" : " ranks", " can hide behind computation", asked,
                                 ", ", bench::processor());
  if (!apps::write_text(file, picture_of(found, title)))
    throw wherry::error(wherry::error_kind::resource, "wherry_overlap", "cannot write '" + file + "'", 0);
  std::printf("%s shows it\n", file.c_str());
}

int run(bench::arguments& words) {
  using namespace bench::collective;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto kinds = timed_kinds(words.list("--collectives", std::vector<std::string>{"allreduce", "alltoall"}));
  const auto sizes = checked_sizes(words.list("--sizes", std::vector<int>{8, 128, 1024, 8192, 65536, 524288}));
  const auto implementations = words.list("--implementations", std::vector<std::string>{"mpi", "shared"});
  check_implementations(implementations);
  const int polls = static_cast<int>(words.integer("--polls", 0, 0, 1'000'000));
  const int rounds = static_cast<int>(words.integer("--rounds", 51, 3, 1'000'000));
  std::FILE* const out = words.output(rank);
  std::FILE* const file = out == stdout ? nullptr : out;
  const auto plot = words.writable("--plot", "", rank);
  words.finish();
  std::vector<overlap::finding> found;
  computation compute;
  const double step_us = slowest(clean_step(compute));
  if (rank == 0) print_head();
  for (const auto what : kinds)
    for (const int bytes : sizes) {
      const repeated_call repeated(what, MPI_COMM_WORLD, static_cast<std::size_t>(bytes));
      for (const auto& by : implementations) {
        if (!wherry::collective::obstacle(repeated.call(), by).empty()) continue;
        wherry::collective::run(repeated.call(), by);
        if (!wherry::collective::obstacle(repeated.call(), by).empty())
          continue;  // the first start has shown that it cannot do this call
        const auto f = measure(repeated.call(), by, compute, step_us, polls, rounds);
        if (rank == 0) print(what, bytes, by, f, polls, file);
        found.push_back({what, bytes, by, f.percent(), f.honest()});
      }
      if (what == kind::barrier) break;
    }
  if (rank == 0)
    std::printf("microseconds, medians of %d; the slowest rank's%s\n", rounds, compute.value() > 0 ? "" : "!");
  if (file != nullptr) std::fclose(file);
  if (rank == 0 && !plot.empty()) draw(plot, found, polls);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
