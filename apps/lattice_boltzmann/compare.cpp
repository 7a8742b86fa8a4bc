#include "compare.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "harness/contest.hpp"
#include "harness/machine.hpp"
#include "harness/placement.hpp"
#include "harness/text.hpp"

namespace lattice_boltzmann {
namespace {

constexpr std::size_t packed = 1;  // the exchange that all others are compared with
constexpr std::string_view limit = "limit";
/// Each array's exchange uses its first 12 messages to find out the best way to write (core/reader_distance.hpp).
constexpr int steps_of_trials = 2 * 13;

/// One timed exchange.
struct entrant {
  std::string name;
  int lines;  // number of lines that its user writes
  std::unique_ptr<solver> solves;
  std::vector<double> halo_seconds{};  // of this rank, a number for each step of the round
  std::vector<double> own_us{};        // for each round: the halo time of the ranks that came last to it, step by step

  void run(long steps) {
    double before = solves->spent().halo();
    for (long step = 0; step < steps; ++step) {
      solves->step();
      const double after = solves->spent().halo();
      halo_seconds.push_back(after - std::exchange(before, after));
    }
  }

  /// Collective, after each round. The first rank at an exchange waits for the others, whatever the exchange is: the
  /// length of this wait shows how evenly the cores run. The rank that waits least shows the time of the exchange
  /// itself.
  void close_round(MPI_Comm comm) {
    MPI_Allreduce(MPI_IN_PLACE, halo_seconds.data(), static_cast<int>(halo_seconds.size()), MPI_DOUBLE, MPI_MIN, comm);
    own_us.push_back(1e6 * std::accumulate(halo_seconds.begin(), halo_seconds.end(), 0.0));
    halo_seconds.clear();
  }
};

/// The part of each sample that was spent in the halo exchange, averaged over the ranks.
std::vector<double> halo_us(const bench::standing& one) {
  std::vector<double> result = one.us;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= one.waiting[i];
  return result;
}

bool all_agree(std::vector<entrant>& entrants, int rank) {
  bool agreed = true;
  std::uint64_t first = 0;
  for (std::size_t v = 0; v < entrants.size(); ++v) {
    if (entrants[v].name == limit) continue;
    entrants[v].solves->reset();
    for (int step = 0; step < 5; ++step) entrants[v].solves->step();
    const auto found = entrants[v].solves->look().fingerprint;
    if (v == 0) first = found;
    if (found != first && rank == 0)
      std::printf("after 5 steps '%s' differs from '%s'\n", entrants[v].name.c_str(), entrants[0].name.c_str());
    agreed = agreed && found == first;
  }
  if (rank == 0) std::printf("%s\n", agreed ? "all exchanges agree bit for bit" : "THE EXCHANGES DISAGREE");
  return agreed;
}

std::string case_of(const run_options& given) {
  const auto& c = given.what.cells;
  const auto& g = given.grid;
  return bench::text(given.lattice->name, " ", c[0], "x", c[1], "x", c[2], " on ", g[0], "x", g[1], "x", g[2], " ",
                     name_of(given.how.order), " ", name_of(given.how.kind), " ", name_of(given.how.how));
}

/// The phases of a step; their times are microseconds of one step, averaged over the ranks.
constexpr const char* phase_names[] = {"propagate_us", "collide_us", "pack_us", "wait_us", "unpack_us"};
std::array<double, 5> phase_us(const phases& before, const phases& after, double steps) {
  std::array<double, 5> result{after.propagate - before.propagate, after.collide - before.collide,
                               after.pack - before.pack, after.wait - before.wait, after.unpack - before.unpack};
  for (auto& us : result) us *= 1e6 / steps;
  return result;
}

std::vector<phases> spent_by(const std::vector<entrant>& entrants) {
  std::vector<phases> result;
  for (const auto& one : entrants) result.push_back(mean_over_ranks(one.solves->spent(), MPI_COMM_WORLD));
  return result;
}

/// All exchanges work on the same arrays, because the place of an array in physical memory changes the time of a step
/// by up to a third.
struct entry {
  const run_options& given;
  const subdomain& mine;
  std::shared_ptr<population_arrays> arrays = make_arrays(mine, *given.lattice, given.how.order);

  entrant of(const halo_version& version) const {
    return {std::string(version.name), version.lines,
            std::make_unique<solver>(mine, *given.lattice, given.what, version, given.how, arrays)};
  }
};

/// Times every exchange. Published layouts are also timed with all rows read in place and with all rows staged, so that
/// Wherry's choice stands beside the alternatives. Packing and unpacking are also timed alone.
std::vector<entrant> all_entrants(const run_options& given, const subdomain& mine) {
  std::vector<entrant> all;
  const entry contest{given, mine};
  for (const auto& version : halo_versions) all.push_back(contest.of(version));
  const auto chosen = wherry::current_settings().one_copy_row;
  for (const auto& [name, shortest] : {std::pair("in_place", "1"), std::pair("staged", "64G")}) {
    wherry::configure("one_copy_row", shortest);
    all.push_back(contest.of({name, make_layouts_halo, 0}));
  }
  wherry::configure("one_copy_row", bench::text(chosen));
  all.push_back(contest.of({limit, make_limit_halo, 0}));
  return all;
}

const char* doubt(const bench::comparison& found) { return found.steady ? "" : ", not steady"; }

}  // namespace

phases mean_over_ranks(const phases& mine, MPI_Comm comm) {
  double sums[] = {mine.collide, mine.propagate, mine.pack, mine.wait, mine.unpack};
  MPI_Allreduce(MPI_IN_PLACE, sums, 5, MPI_DOUBLE, MPI_SUM, comm);
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  for (auto& sum : sums) sum /= ranks;
  return {sums[0], sums[1], sums[2], sums[3], sums[4]};
}

int compare(const run_options& given, int rank) {
  const subdomain mine(MPI_COMM_WORLD, given.what.cells, given.grid, given.what.periodic());
  auto entrants = all_entrants(given, mine);
  std::vector<bench::contender> contenders;
  std::vector<bench::pairing> pairs;
  for (std::size_t v = 0; v < entrants.size(); ++v) {
    auto& one = entrants[v];
    contenders.push_back({one.name, [&one, &given] { one.run(given.steps); },
                          [&one] {
                            if (!one.halo_seconds.empty()) one.close_round(MPI_COMM_WORLD);
                            return one.solves->spent().halo();
                          }});
    if (v != packed) pairs.push_back({v, packed});
  }
  const bool agreed = all_agree(entrants, rank);
  for (const auto& one : entrants)
    for (int step = 0; step < steps_of_trials; ++step) one.solves->step();
  bench::placement_probe probe(MPI_COMM_WORLD);
  const double near_before = probe.handshake_us();
  const auto before = spent_by(entrants);
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);
  const auto after = spent_by(entrants);
  const double near_after = probe.handshake_us();
  if (rank != 0) return agreed ? 0 : 1;

  bench::print_standings(standings, pairs);
  const bool moved = bench::placement_moved(near_before, near_after);
  std::printf(
      "\nhandshake of the cores %.2f us before, %.2f us after%s\n"
      "us a step, mean of the ranks (the first round, which warms up, included); halo: the share of the step, and of "
      "it "
      "that of the rank\nthat came last to each exchange, which waits for nobody\n%-10s %9s %9s %9s %9s %9s %6s %7s "
      "%7s\n",
      near_before, near_after, moved ? ": THE CORES MOVED" : "", "", "propagate", "collide", "pack", "wait", "unpack",
      "lines", "halo", "last's");
  std::vector<bench::json> records;
  for (auto& one : entrants) one.own_us.erase(one.own_us.begin());  // the round that warms up
  for (std::size_t v = 0; v < standings.size(); ++v) {
    const auto& standing = standings[v];
    const auto steps = static_cast<double>(given.steps);
    const auto us = phase_us(before[v], after[v], steps * static_cast<double>(standing.us.size() + 1));
    const auto halo = bench::compare(halo_us(standing), halo_us(standings[packed]));
    const auto own = bench::compare(entrants[v].own_us, entrants[packed].own_us);
    const double share = bench::median(standing.waiting), own_share = own.ours_us / bench::median(standing.us);
    std::printf("%-10s", standing.name.c_str());
    for (const double each : us) std::printf(" %9.1f", each);
    std::printf(" %6d %6.1f%% %6.1f%%  / packed's: %.3f (spread %.0f%%%s), last's %.3f (spread %.0f%%%s)\n",
                entrants[v].lines, 100 * share, 100 * own_share, halo.ratio, 100 * halo.spread, doubt(halo), own.ratio,
                100 * own.spread, doubt(own));
    auto record =
        bench::comparison_record("lattice_boltzmann", case_of(given), mine.grid.size(), standing, standings[packed]);
    for (std::size_t k = 0; k < us.size(); ++k) record.add(phase_names[k], us[k]);
    records.push_back(record.add("halo_ratio", halo.ratio)
                          .add("halo_spread", halo.spread)
                          .add("halo_steady", halo.steady)
                          .add("own_halo_us", own.ours_us / steps)
                          .add("own_halo_ratio", own.ratio)
                          .add("own_halo_spread", own.spread)
                          .add("own_halo_steady", own.steady)
                          .add("moved", moved)
                          .add("steps", given.steps)
                          .add("correct", agreed)
                          .add("lines", entrants[v].lines));
  }
  if (!given.json.empty()) {
    records.push_back(bench::machine_record().add("bench", "machine"));
    bench::write_json(given.json, records);
  }
  return agreed ? 0 : 1;
}

}  // namespace lattice_boltzmann
