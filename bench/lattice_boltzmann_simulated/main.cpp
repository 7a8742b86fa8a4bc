// bench_lattice_boltzmann_simulated CELLS STEPS NANOSECONDS_A_CELL GIGABYTES_A_SECOND TICKS LAYOUT: measures a step of
// apps/lattice_boltzmann in SimGrid's time, with each halo exchange. A line for each has its name, the microseconds of
// a step on the slowest rank, those of the phases, averaged over the ranks, and the fingerprint of the populations. The
// costs of computing and copying are given (charges.hpp); a microsecond is TICKS simulated seconds
// (tools/run/simgrid.py).
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "charges.hpp"
#include "lattice_boltzmann/pack.hpp"
#include "lattice_boltzmann/solver.hpp"

namespace {

using namespace lattice_boltzmann;

constexpr int warm_up = 2;

/// The kernels, which now take time.
template <auto Kernel> void charged(const sweep& s, const range3& cells) {
  (kernels().d3.*Kernel)(s, cells);
  charges::computed(static_cast<long>(size_of(cells)));
}
constexpr lattice_kernels charged_kernels = {charged<&lattice_kernels::pull_and_collide>,
                                             charged<&lattice_kernels::pull>, charged<&lattice_kernels::collide>};

struct options {
  long cells;
  int steps;
  charges::rates rates;
  double ticks;  // a microsecond
  memory_layout order;
};

options parse(char** word) {
  options given{std::atol(word[1]), std::atoi(word[2]), {}, std::atof(word[5]), memory_layout::soa};
  given.rates.ticks_a_cell = 1e-3 * std::atof(word[3]) * given.ticks;
  given.rates.ticks_a_byte = 1e-3 / std::atof(word[4]) * given.ticks;
  if (std::string_view(word[6]) == "aos") given.order = memory_layout::aos;
  return given;
}

/// Cuts the slowest axis most, as the application does.
std::vector<int> grid_of(int ranks) {
  std::vector<int> grid(3);
  MPI_Dims_create(ranks, 3, grid.data());
  return {grid.rbegin(), grid.rend()};
}

/// GASPI's version copies the packed data once more, into the segment of a neighbour on the node; data for other nodes
/// is put.
double copies_of_segments(const subdomain& mine, const model& lattice) {
  double near = 0, all = 0;
  for (const auto& one : links_of(mine, lattice, halo_kind::reduced)) {
    const auto numbers = static_cast<double>(size_of(one.leaves) * one.out.size());
    all += numbers;
    if (mine.grid.comm().node_index(one.peer) >= 0) near += numbers;
  }
  return all > 0 ? 1 + near / all : 1;
}

void measure(const options& given, const subdomain& mine, const model& lattice, const halo_version& version) {
  charges::set({});
  solver one(mine, lattice, taylor_green({given.cells, given.cells, given.cells}, 0.8, 0.04), version, {given.order});
  auto rates = given.rates;
  if (version.name == "segments") rates.copies_a_pack = copies_of_segments(mine, lattice);
  charges::set(rates);
  for (int step = 0; step < warm_up; ++step) one.step();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto before = one.spent();
  const double began = MPI_Wtime();
  for (int step = 0; step < given.steps; ++step) one.step();
  double whole = MPI_Wtime() - began;
  const auto after = one.spent();
  charges::set({});
  double sums[] = {after.collide - before.collide, after.pack - before.pack, after.wait - before.wait,
                   after.unpack - before.unpack};
  MPI_Allreduce(MPI_IN_PLACE, &whole, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const auto seen = one.look();
  if (mine.grid.comm().rank() != 0) return;
  const double us = 1 / (given.ticks * given.steps);
  std::printf("%s %.2f", version.name.data(), us * whole);
  for (const double sum : sums) std::printf(" %.2f", us * sum / mine.grid.size());
  std::printf(" %016" PRIx64 "\n", seen.fingerprint);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);  // Wherry's state for it must be freed before SimGrid's MPI ends
  if (argc == 7) {
    const auto given = parse(argv);
    int ranks = 1;
    MPI_Comm_size(all, &ranks);
    model lattice = three_dimensions();
    lattice.kernel = &charged_kernels;
    const subdomain mine(all, {given.cells, given.cells, given.cells}, grid_of(ranks), {true, true, true});
    for (const auto& version : halo_versions) measure(given, mine, lattice, version);
  }
  MPI_Comm_free(&all);
  MPI_Finalize();
  return 0;
}
