// The measurement of GCL, section 6: three fields of 250^3 doubles on each rank, with halos of 3, periodic in all
// dimensions. Every halo cell is checked; then all of Wherry's transports are timed beside MPI written by hand.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

#include "fields.hpp"
#include "hand_written.hpp"
#include "harness/arguments.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/ratios.hpp"
#include "harness/text.hpp"
#include "rounds.hpp"

namespace {

using namespace halo_demo;

constexpr const char* usage =
    "usage: halo_demo [--size N] [--seconds S] [--quick] [--device] [--json FILE]\n"
    "Exchanges the halos of three fields, checks every halo cell, and times all transports beside hand-written MPI.\n"
    "  --size N      cells a rank along each axis (default 250, with --quick 64)\n"
    "  --seconds S   time for all of it, as far as possible (default 25, with --quick 4)\n"
    "  --quick       a smaller and shorter run\n"
    "  --device      fields in the memory of the device; where there is none, of the fake one, which is not timed\n"
    "  --json FILE   write the results to FILE\n";

struct options {
  bool quick = false, device = false;
  long size = 250;
  double seconds = 25;
  std::string file;
};

options parse(bench::arguments& words) {
  options given;
  given.quick = words.flag("--quick");
  given.device = words.flag("--device");
  given.size = words.integer("--size", given.quick ? 64 : 250, width, 2000);
  given.seconds = words.number("--seconds", given.quick ? 4 : 25, 0, 3600);
  given.file = words.text("--json");
  words.finish();
  return given;
}

/// The oracle moves one block at a time, which is affordable on small fields only.
constexpr long largest_for_reference = 64;
constexpr const char* peer_name = "hand-written MPI";

/// One way to exchange, with the number of wrong halo cells.
struct method {
  std::string name, carried_by;
  std::function<void()> run;
  long wrong = 0;  ///< cells, of all ranks
};

// begin: what a user writes
wherry::halo_exchange exchange_of(const wherry::process_grid& grid, const std::string& transport, fields& data) {
  auto& f = data.all();
  return wherry::halo_exchange(grid, {.carry = {.transport = transport}}, f[0], f[1], f[2]);
}
// end

void add_methods_of_wherry(std::vector<method>& methods, const wherry::process_grid& grid, fields& data,
                           const options& given) {
  std::vector<std::string> names{"auto"};
  for (const auto* row : wherry::transports::all_transports())
    if ((given.device || !row->device_memory) && (row->name != "reference" || given.size <= largest_for_reference))
      names.push_back(row->name);
  for (const auto& name : names) {
    try {
      const auto exchange = std::make_shared<wherry::halo_exchange>(exchange_of(grid, name, data));
      const std::string carried_by = exchange->bound().transport();
      methods.push_back({name, carried_by, [exchange] { (*exchange)(); }});
    } catch (const wherry::error& failure) {  // on all ranks alike: a transport that cannot reach another node
      if (grid.comm().rank() == 0) std::printf("  %-14s left out: %s\n", name.c_str(), failure.text().c_str());
    }
  }
}

/// Uses the fake device if there is no device. Prints the name of the device.
void choose_device(bool talks) {
  if (wherry::device_in_use() == nullptr) {
    if (talks)
      std::printf("no device here (%s): the fake device takes its place, whose times would mean nothing\n",
                  wherry::why_no_device().c_str());
    wherry::use_device(&wherry::fake_device());
  }
  if (talks)
    std::printf("fields on the device '%s': %s\n", wherry::device_in_use()->name.c_str(),
                wherry::device_in_use()->meaning.c_str());
}

bool is_timed(const options& given) { return !given.device || wherry::device_in_use() != &wherry::fake_device(); }

long sum_over_ranks(long mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

/// Seconds since `began` on the slowest rank.
double elapsed_since(double began) {
  double seconds = MPI_Wtime() - began;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

long check(const method& one, fields& data) {
  data.spoil_halos();
  MPI_Barrier(MPI_COMM_WORLD);  // no rank spoils a halo that has arrived already
  one.run();
  return sum_over_ranks(data.wrong_halo_cells());
}

bench::json record(const options& given, const std::string& kind, int ranks) {
  const std::string what = bench::text(count, " x ", given.size, "^3 doubles, halo ", width);
  return bench::json()
      .add("bench", kind)
      .add("case", what)
      .add("ranks", ranks)
      .add("mpi", wherry::mpi_library_version());
}

/// Prints the progress once for every tenth of the way.
class progress_lines {
 public:
  void operator()(double fraction) {
    const int tenths = static_cast<int>(10 * fraction);
    if (tenths <= shown_) return;
    shown_ = tenths;
    std::printf("  timing: %3d %%\n", 10 * tenths);
    std::fflush(stdout);
  }

 private:
  int shown_ = 0;
};

/// Checks the fields for the last time and writes the file. Returns the exit status.
int finish(const options& given, fields& data, bool halos_right, bool talks, std::vector<bench::json>& records) {
  const bool core_untouched = sum_over_ranks(data.wrong_core_cells()) == 0;
  const bool all_right = halos_right && core_untouched;
  if (!talks) return all_right ? 0 : 1;
  std::printf("%s\n", all_right        ? "all halos right, all cores untouched"
                      : core_untouched ? "SOME HALOS ARE WRONG"
                                       : "SOME CORE CELLS WERE CHANGED");
  records.push_back(bench::machine_record().add("bench", "machine"));
  if (!given.file.empty()) bench::write_json(given.file, records);
  return all_right ? 0 : 1;
}

int run(bench::arguments& words) {
  const double began = MPI_Wtime();
  const options given = parse(words);
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, true}});
  const int ranks = grid.comm().size();
  const bool talks = grid.comm().rank() == 0;
  if (talks) {
    std::printf("Halo exchange: %d fields of %ld^3 doubles a rank, halo %d, periodic, %d rank%s (%d x %d x %d)\n",
                count, given.size, width, ranks, ranks == 1 ? "" : "s", grid.extents()[0], grid.extents()[1],
                grid.extents()[2]);
    std::printf("%s; %s\n", bench::processor().c_str(), wherry::mpi_library_version().c_str());
    std::fflush(stdout);
  }

  if (given.device) choose_device(talks);
  fields data(grid, given.size, given.device);
  std::vector<method> methods;
  if (!given.device) {  // the hand-written exchange works in the host's memory only
    const auto by_hand = std::make_shared<hand_written>(MPI_COMM_WORLD, grid.extents(), data, given.size);
    methods.push_back({peer_name, "x, y, z in turn", [by_hand] { by_hand->exchange(); }});
  }
  add_methods_of_wherry(methods, grid, data, given);

  bool all_right = true;
  std::vector<contender> contenders;
  std::vector<bench::json> records;
  for (auto& one : methods) {
    one.wrong = check(one, data);
    all_right = all_right && one.wrong == 0;
    if (talks) {
      const std::string verdict = one.wrong == 0 ? "all halo cells right" : bench::text(one.wrong, " halo cells WRONG");
      std::printf("  check %-17s %s\n", one.name.c_str(), verdict.c_str());
      std::fflush(stdout);
    }
    contenders.push_back({one.name, one.run});
    records.push_back(record(given, "halo_demo check", ranks)
                          .add("method", one.name)
                          .add("halo_cells_a_rank", data.halo_cells())
                          .add("wrong_cells", one.wrong)
                          .add("correct", one.wrong == 0));
  }

  if (!is_timed(given)) return finish(given, data, all_right, talks, records);
  progress_lines progress;
  const double left = given.seconds - elapsed_since(began);
  const auto measured = measure(MPI_COMM_WORLD, contenders, left, [&](double fraction) {
    if (talks) progress(fraction);
  });
  if (talks)
    std::printf("\n%-16s %12s %10s %8s  %s\n", "", "us, median", given.device ? "of auto" : "of MPI", "spread",
                "carried by");
  for (std::size_t i = 0; talks && i < methods.size(); ++i) {
    const auto result = bench::compare(measured[i].us, measured[0].us);
    std::printf("%-16s %12.1f %10.2f %7.0f%%  %s%s\n", methods[i].name.c_str(), result.ours_us, result.ratio,
                100 * result.spread, methods[i].carried_by.c_str(), result.steady ? "" : "; not steady");
    if (i == 0) continue;
    records.push_back(record(given, "halo_demo", ranks)
                          .add("ours", methods[i].name)
                          .add("ours_us", result.ours_us)
                          .add("peer", methods[0].name)
                          .add("peer_us", result.peer_us)
                          .add("ratio", result.ratio)
                          .add("spread", result.spread)
                          .add("steady", result.steady)
                          .add("lines", LINES_OURS)
                          .add("peer_lines", LINES_BY_HAND)
                          .add("rounds", measured[i].us.size()));
  }
  if (talks) std::printf("%zu rounds; every number is the slowest rank's\n", measured[0].us.size());
  return finish(given, data, all_right, talks, records);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
