#include "check.hpp"

#include <cstdint>
#include <cstdio>

namespace lattice_boltzmann {
namespace {

/// All ways to make a step, apart from the choice of an exchange.
std::vector<solver_options> all_ways() {
  std::vector<solver_options> ways;
  for (const auto order : {memory_layout::soa, memory_layout::aos})
    for (const auto how : {stepping::fused, stepping::split, stepping::overlap})
      for (const auto kind : {halo_kind::reduced, halo_kind::full}) ways.push_back({order, how, kind});
  return ways;
}

}  // namespace

int check(const run_options& given, int rank) {
  const subdomain mine(MPI_COMM_WORLD, given.what.cells, given.grid, given.what.periodic());
  std::uint64_t first = 0;
  int runs = 0, wrong = 0;
  for (const auto& version : halo_versions)
    for (const auto& way : all_ways()) {
      solver one(mine, *given.lattice, given.what, version, way);
      for (long step = 0; step < given.steps; ++step) one.step();
      const auto found = one.look().fingerprint;
      if (runs++ == 0) first = found;
      if (found == first) continue;
      ++wrong;
      if (rank == 0)
        std::printf("%s, %s, %s, %s halo: %016llx\n", version.name.data(), name_of(way.order), name_of(way.how),
                    name_of(way.kind), static_cast<unsigned long long>(found));
    }
  if (rank == 0) {
    std::printf("populations after %ld steps: %016llx\n", given.steps, static_cast<unsigned long long>(first));
    std::printf("%d ways to make them, %d differ: %s\n", runs, wrong, wrong == 0 ? "verified" : "NOT VERIFIED");
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace lattice_boltzmann
