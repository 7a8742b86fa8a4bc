#include "compare.hpp"

#include <cstdio>
#include <string>

#include "harness/contest.hpp"
#include "harness/machine.hpp"

namespace lattice_boltzmann {
namespace {

constexpr std::size_t packed = 1;  // the one that all are compared with

/// The part of each sample that went into the halo.
std::vector<double> halo_us(const bench::standing& one) {
  std::vector<double> result = one.us;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= one.waiting[i];
  return result;
}

bool all_agree(std::vector<std::unique_ptr<solver>>& solvers, int rank) {
  bool agreed = true;
  std::uint64_t first = 0;
  for (std::size_t v = 0; v < solvers.size(); ++v) {
    for (int step = 0; step < 5; ++step) solvers[v]->step();
    const auto found = solvers[v]->look().fingerprint;
    if (v == 0) first = found;
    if (found != first && rank == 0)
      std::printf("after 5 steps '%s' differs from '%s'\n", halo_versions[v].name.data(), halo_versions[0].name.data());
    agreed = agreed && found == first;
  }
  if (rank == 0) std::printf("%s\n", agreed ? "all exchanges agree bit for bit" : "THE EXCHANGES DISAGREE");
  return agreed;
}

std::string case_of(const run_options& given) {
  const auto& c = given.what.cells;
  const auto& g = given.grid;
  return wherry::text(given.lattice->name, " ", c[0], "x", c[1], "x", c[2], " on ", g[0], "x", g[1], "x", g[2], " ",
                      name_of(given.how.order), " ", name_of(given.how.kind), " ", name_of(given.how.how));
}

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
  std::vector<std::unique_ptr<solver>> solvers;
  std::vector<bench::contender> contenders;
  std::vector<bench::pairing> pairs;
  for (const auto& version : halo_versions) {
    auto& one = *solvers.emplace_back(std::make_unique<solver>(mine, *given.lattice, given.what, version, given.how));
    contenders.push_back({std::string(version.name),
                          [&one, &given] {
                            for (long step = 0; step < given.steps; ++step) one.step();
                          },
                          [&one] { return one.spent().halo(); }});
    if (solvers.size() - 1 != packed) pairs.push_back({solvers.size() - 1, packed});
  }
  const bool agreed = all_agree(solvers, rank);
  std::vector<phases> before, spent;
  for (const auto& one : solvers) before.push_back(mean_over_ranks(one->spent(), MPI_COMM_WORLD));
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);
  for (const auto& one : solvers) spent.push_back(mean_over_ranks(one->spent(), MPI_COMM_WORLD));
  if (rank != 0) return agreed ? 0 : 1;

  bench::print_standings(standings, pairs);
  std::printf(
      "\nus a step, mean of the ranks (the first round, which warms up, included)\n%-10s %9s %9s %9s %9s %9s %6s"
      "  halo / packed's\n",
      "", "propagate", "collide", "pack", "wait", "unpack", "lines");
  std::vector<bench::json> records;
  for (std::size_t v = 0; v < standings.size(); ++v) {
    const auto& a = before[v];
    const auto& b = spent[v];
    const double steps = static_cast<double>(given.steps) * static_cast<double>(standings[v].us.size() + 1);
    const double us[] = {b.propagate - a.propagate, b.collide - a.collide, b.pack - a.pack, b.wait - a.wait,
                         b.unpack - a.unpack};
    std::printf("%-10s", standings[v].name.c_str());
    for (const double seconds : us) std::printf(" %9.1f", 1e6 * seconds / steps);
    const auto halo = bench::compare(halo_us(standings[v]), halo_us(standings[packed]));
    std::printf(" %6d  %.3f (spread %.0f%%%s)\n", halo_versions[v].lines, halo.ratio, 100 * halo.spread,
                halo.steady ? "" : ", not steady");
    auto record = bench::comparison_record("lattice_boltzmann", case_of(given), mine.grid.size(), standings[v],
                                           standings[packed]);
    const char* const names[] = {"propagate_us", "collide_us", "pack_us", "wait_us", "unpack_us"};
    for (std::size_t k = 0; k < 5; ++k) record.add(names[k], 1e6 * us[k] / steps);
    records.push_back(record.add("halo_ratio", halo.ratio)
                          .add("halo_spread", halo.spread)
                          .add("halo_steady", halo.steady)
                          .add("steps", given.steps)
                          .add("correct", agreed)
                          .add("lines", halo_versions[v].lines));
  }
  if (!given.json.empty()) {
    records.push_back(bench::machine_record().add("bench", "machine"));
    bench::write_json(given.json, records);
  }
  return agreed ? 0 : 1;
}

}  // namespace lattice_boltzmann
