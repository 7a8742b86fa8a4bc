// bench_bound_plans: measures the cost of a ghost-cell fill of very many small boxes before its first move: the bytes
// for each box that stay allocated, and the times to plan and to bind. A mover asks the builder itself and keeps no
// list, so that its construction plans and binds in one step: "whole". "Plan" is the time to make a list of the
// entries, and "bind" is the rest of "whole"; "given a list" is the time of a mover that is made from the list. A bare
// planner (bare_planner.hpp) is measured for comparison.
//   bench_bound_plans [--boxes 10000,100000] [--extent 4] [--only regular] [--rounds 3] [--out FILE]
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>

#include "wherry/blocks/blocks.hpp"
#include "wherry/core/mpi.hpp"

#include "blocks/bare_planner.hpp"
#include "blocks/box_sets.hpp"
#include "harness/allocations.hpp"
#include "harness/arguments.hpp"
#include "harness/json.hpp"
#include "harness/timing.hpp"

namespace bench {
namespace {

struct set_of_boxes {
  std::string_view name;
  box_set (*make)(long count, wherry::index_t extent);
};
constexpr std::array all_sets{set_of_boxes{"regular", regular}, set_of_boxes{"irregular", irregular}};

struct options {
  std::vector<long> boxes{10'000, 100'000};
  int extent = 4;
  std::vector<set_of_boxes> sets{all_sets.begin(), all_sets.end()};
  int rounds = 3;  // the first one in fresh memory, the others in memory that is used again
  std::FILE* out = stdout;
};

double slowest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double sum(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double allocated() { return static_cast<double>(heap().now); }

/// The number of pages that this process has got so far.
double pages() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_minflt);
}

struct round_times {
  double bare, plan, listed, make, exchange, bound, peak, fresh_pages;  // microseconds, bytes
};

/// Lists the entries, binds the list, and frees both; makes the mover, and moves.
round_times run_round(wherry::x_array<float, 3>& u, const wherry::domain<3>& space, const box_set& boxes,
                      const wherry::owner_map& owners) {
  const int rank = u.comm().rank();
  const double before = allocated();
  MPI_Barrier(MPI_COMM_WORLD);
  double began = now_us(), bare = 0, planned = 0, listed = 0;
  std::size_t tags = 0;
  {
    tags = bare_planner(boxes, owners, space.cells).plan(rank).size();
    bare = slowest(now_us() - began);
  }
  began = now_us();
  const auto motions = wherry::halo_motion<3>(u.plan(), 1, space);
  {
    const auto entries = motions.plan(rank);
    planned = slowest(now_us() - began);
    if (entries.size() != tags) throw std::runtime_error("the bare planner finds other pairs");
    began = now_us();
    const wherry::mover move(entries, u, u);
    listed = slowest(now_us() - began);
  }
  reset_peak();
  const double had = pages(), from = now_us();
  wherry::mover move(motions, u, u);
  const double made = slowest(now_us() - from);
  const double fresh = sum(pages() - had);
  const double peak = static_cast<double>(heap().peak) - before;
  const double stays = allocated() - before;
  move();
  const double start = now_us();
  move();
  return {bare, planned, listed, made, slowest(now_us() - start), sum(stays), sum(peak), fresh};
}

void measure_one(const options& given, const std::string& name, const box_set& boxes) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  auto space = wherry::domain<3>::torus({});
  for (const auto& b : boxes) space.cells = bounding_box(space.cells, b);
  wherry::owner_map owners(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    owners[i] = static_cast<int>(i * static_cast<std::size_t>(comm.size()) / boxes.size());
  const double before = allocated();
  wherry::x_array<float, 3> u(comm, {boxes, owners}, {.ghost_width = 1});
  const double array = sum(allocated() - before);
  round_times best{};
  for (int round = 0; round < given.rounds; ++round) {
    const auto found = run_round(u, space, boxes, owners);
    const auto lesser = [&](double a, double b) { return round < 2 ? b : std::min(a, b); };
    best = {lesser(best.bare, found.bare),
            lesser(best.plan, found.plan),
            lesser(best.listed, found.listed),
            lesser(best.make, found.make),
            lesser(best.exchange, found.exchange),
            found.bound,
            found.peak,
            found.fresh_pages};
  }
  const auto count = static_cast<double>(boxes.size());
  record("bound plan")
      .add("case", name)
      .add("boxes", boxes.size())
      .add("ranks", comm.size())
      .add("bare_us", best.bare)
      .add("plan_us", best.plan)
      .add("listed_us", best.listed)
      .add("make_us", best.make)
      .add("bind_us", best.make - best.plan)
      .add("exchange_us", best.exchange)
      .add("ratio", (best.make - best.plan) / best.plan)
      .add("listed_ratio", best.listed / best.plan)
      .add("bare_ratio", best.make / best.bare)
      .add("array_bytes", array / count)
      .add("mover_bytes", best.bound / count)
      .add("bytes", (array + best.bound) / count)
      .add("peak_bytes", best.peak / count)
      .add("fresh_pages", best.fresh_pages)  // of the last round: memory that was not used again
      .write(given.out);
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.boxes = words.list("--boxes", given.boxes);
  given.extent = static_cast<int>(words.integer("--extent", given.extent, 1, 1000));
  if (const auto only = words.text("--only"); !only.empty()) {
    std::erase_if(given.sets, [&](const set_of_boxes& set) { return set.name != only; });
    if (given.sets.empty()) throw usage_error("--only is '" + only + "', expected regular or irregular");
  }
  given.rounds = static_cast<int>(words.integer("--rounds", given.rounds, 1, 1000));
  given.out = words.output(mpi.rank());
  words.finish();
  for (const long count : given.boxes)
    for (const auto& set : given.sets) measure_one(given, std::string(set.name), set.make(count, given.extent));
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::run); }
