// wherry_calibrate: measures the cost of moving data between the two ranks that it is started with, on one node or on
// two, and keeps the figures in a file that every program with Wherry on this machine reads (calibration.hpp).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "between_two.hpp"
#include "harness/arguments.hpp"
#include "harness/steady.hpp"
#include "harness/text.hpp"

namespace {

using calibrating::between_two;
using calibrating::rows;
using wherry::transports::calibration;
using wherry::transports::message_cost;

constexpr const char* usage =
    "usage: mpirun -n 2 wherry_calibrate [--file calibration.txt] [--seconds S in all] [--even-if-disturbed]\n"
    "Measures what a message, a byte and a block cost with each transport, and from which length on rows are better "
    "read\n"
    "in place, and keeps that in a file: without --file in the one that programs look for (WHERRY_CALIBRATION).\n"
    "Where others use the cores meanwhile nothing is kept.\n"
    "Started with its two ranks on two nodes it measures what lies between these.\n";

constexpr std::int64_t kibi = 1024;
constexpr double noise = 0.03;  // of a ratio; within the noise, one copy less is preferred

class stopwatch {
 public:
  stopwatch(double seconds, bool near) : seconds_(seconds) {
    if (near) probe_.emplace(MPI_COMM_WORLD);
  }
  /// Returns the median of each contender; all run in turns, and rewrite the data that is sent between two exchanges.
  std::vector<double> race(std::deque<between_two>& contenders, double times = 1);
  /// True if, again and again, other programs used the cores during the measurement or the ranks were moved to other
  /// cores.
  bool disturbed() const { return disturbed_; }

 private:
  double seconds_;
  std::optional<bench::placement_probe> probe_;  // its ranks must share memory
  bool disturbed_ = false;
};

std::vector<double> stopwatch::race(std::deque<between_two>& contenders, double times) {
  std::vector<bench::method> methods;
  for (auto& one : contenders)
    methods.push_back({.name = "",
                       .group = "",
                       .run = [&one] { one.exchange(); },
                       .prepare = {},
                       .finish = {},
                       .before = [&one] { one.rewrite(); }});
  std::vector<double> medians;
  const bench::timing_options options{.seconds = times * seconds_};
  const auto take = [&](const std::vector<bench::timing>& all) {
    for (const auto& t : all) medians.push_back(t.median);
  };
  if (!probe_) {
    take(bench::measure(MPI_COMM_WORLD, methods, options));
    return medians;
  }
  const auto measured = bench::measure_steadily(*probe_, MPI_COMM_WORLD, methods, options);
  disturbed_ = disturbed_ || !measured.steady();
  take(measured.timings);
  return medians;
}

/// Computes the figures of the model from messages that differ in one quantity each. The messages consist of rows, as
/// faces do.
message_cost cost_of(const wherry::communicator& comm, const std::string& transport, bool node_shared,
                     stopwatch& watch) {
  constexpr rows little{1, 8, 64}, medium{256, 256, 576}, much{2048, 256, 576}, in_blocks{256, 256, 576, true};
  std::deque<between_two> messages;
  for (const auto& what : {little, medium, much, in_blocks}) messages.emplace_back(comm, what, transport, node_shared);
  const auto us = watch.race(messages, 2);
  const auto not_negative = [](double figure) { return std::max(figure, 0.0); };
  return {us[0], not_negative((us[2] - us[0]) / static_cast<double>(much.count * much.length)),
          not_negative((us[3] - us[1]) / static_cast<double>(in_blocks.count - 1))};
}

bool is_here(std::string_view transport) {
  const auto all = wherry::transports::all_transports();
  return std::any_of(all.begin(), all.end(), [&](const auto* row) { return row->name == transport; });
}

void measure_costs(const wherry::communicator& comm, calibration::costs& costs, stopwatch& watch, bool near) {
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const std::string name(calibration::names[i]);
    if (!is_here(name) || (!near && wherry::transports::find_transport(name).node_only)) continue;
    const auto before = costs[i];
    // `shared` is meant for memory that the node shares; from other memory it is hardly faster than the next transport.
    costs[i] = cost_of(comm, name, near && i == calibration::shared, watch);
    if (comm.rank() == 0)
      std::printf("  %-13s %7.2f us a message, %8.2e a byte, %6.3f a block   (was %.2f, %.1e, %.3f)\n", name.c_str(),
                  costs[i].message, costs[i].byte, costs[i].block, before.message, before.byte, before.block);
  }
}

/// The time of reading in place divided by the time through staging, for a number of cache lines in rows of a length.
/// The rows are a small part of the data that a program writes: mostly they have left its cache when they are written
/// again, and if a reader has had them last, they come from farther away.
double in_place(const wherry::communicator& comm, std::int64_t lines, std::int64_t length, stopwatch& watch) {
  constexpr std::int64_t line = 64;
  const std::int64_t lines_a_row = (length + line - 1) / line;
  const rows what{std::max<std::int64_t>(1, lines / lines_a_row), length, (lines_a_row + 2) * line};
  const auto elsewhere = 4 * wherry::transports::second_level_cache();
  std::deque<between_two> both;
  for (const char* const shortest : {"1", "64G"}) {  // rows that are read in place: all, none
    wherry::configure("one_copy_row", shortest);
    both.emplace_back(comm, what, "shared", true, static_cast<std::size_t>(elsewhere));
  }
  wherry::configure("one_copy_row", "0");
  const auto us = watch.race(both);
  const double ratio = us[0] / us[1];
  if (comm.rank() == 0)
    std::printf("  %8ld KiB of lines in rows of %4ld B: in place takes %.2f of the time through staging\n",
                static_cast<long>(lines * line / kibi), static_cast<long>(length), ratio);
  return ratio;
}

/// Returns the first of `sizes` from which on `ratio_at` shows no loss, or `beyond` if there is none.
template <class Ratio>
std::int64_t first_gain(const std::vector<std::int64_t>& sizes, std::int64_t beyond, Ratio&& ratio_at) {
  std::int64_t first = beyond;
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    if (ratio_at(*size) > 1 + noise) return first;
    first = *size;
  }
  return first;
}

void measure_rows(const wherry::communicator& comm, calibration& figures, stopwatch& watch) {
  constexpr std::int64_t line = 64, most_lines = (24 << 20) / line, never = 1 << 30;
  const auto cache_lines = std::min(wherry::transports::second_level_cache() / line, most_lines / 2);
  const std::vector<std::int64_t> lengths{64, 128, 256, 512, 1024, 2048};
  const auto long_row = [&](std::int64_t lines) {
    return first_gain(lengths, 2 * lengths.back(),
                      [&](std::int64_t length) { return in_place(comm, lines, length, watch); });
  };
  figures.long_row = long_row(cache_lines / 4);
  figures.row_beyond_cache = long_row(2 * cache_lines);
  std::vector<std::int64_t> times;
  for (const std::int64_t more : {1, 2, 4, 8, 12, 16, 24})
    if (more * cache_lines <= most_lines) times.push_back(more);
  figures.cached_lines =
      first_gain(times, never, [&](std::int64_t more) { return in_place(comm, more * cache_lines, 8, watch); });
}

/// Shared memory may be too small for the largest rows; the figures found before then stay.
void try_to_measure_rows(const wherry::communicator& comm, calibration& figures, stopwatch& watch) {
  try {
    measure_rows(comm, figures, watch);
  } catch (const wherry::error& problem) {
    if (problem.kind() != wherry::error_kind::resource) throw;
    if (comm.rank() == 0) std::printf("  rows: the rest stays as it is; %s\n", problem.what());
  }
}

int run(bench::arguments& words) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto asked = words.text("--file");
  const bool even_if_disturbed = words.flag("--even-if-disturbed");
  const double seconds = words.number("--seconds", 12, 0, 1e4);
  words.finish();
  const wherry::communicator comm(MPI_COMM_WORLD);
  if (comm.size() != 2) throw bench::usage_error(bench::text("it is started with ", comm.size(), " ranks, expected 2"));
  const auto file = !asked.empty() ? asked : wherry::transports::calibration_file();
  if (file.empty()) throw bench::usage_error("there is no --file, and no home folder to keep one in");
  const bool near = comm.node_index(1 - comm.rank()) >= 0;
  calibration figures = wherry::transports::current_calibration();
  if (rank == 0)
    std::printf("%s, %s\n", wherry::transports::calibrated_machine().c_str(),
                near ? "two ranks of a node" : "a rank on two nodes each");
  stopwatch watch(seconds / 30, near);
  measure_costs(comm, near ? figures.on_node : figures.between_nodes, watch, near);
  if (near && comm.arena() != nullptr) try_to_measure_rows(comm, figures, watch);
  if (watch.disturbed() && !even_if_disturbed) {
    if (rank == 0)
      std::printf("nothing is kept: others used the cores meanwhile. Try again, or say --even-if-disturbed\n");
    return 1;
  }
  if (rank != 0) return 0;
  std::printf("rows read in place: from %ld B on, from %ld B beyond the cache, all beyond %ld times the cache\n",
              static_cast<long>(figures.long_row), static_cast<long>(figures.row_beyond_cache),
              static_cast<long>(figures.cached_lines));
  wherry::transports::keep_calibration(file, figures, "by wherry_calibrate");
  std::printf("kept in %s, where programs %s\n", file.c_str(),
              asked.empty() ? "look for it" : bench::text("find it by WHERRY_CALIBRATION=", file).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
