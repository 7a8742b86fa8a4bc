// A lattice-Boltzmann solver, the case study of the paper on GASPI in Ludwig: D3Q19 or D2Q9, BGK collision, two arrays
// of populations that swap after every step, on any grid of ranks. Its halo exchange is written in several ways behind
// one interface.
//
//   kernels.cpp    the arithmetic: propagation and collision
//   solver.cpp     a step, and the figures that are checked
//   halo_*.cpp     the exchanges, a file each
//   subdomain.cpp  the cells of each rank, and the populations that travel
//   flow.cpp       the flows and their analytic solutions
//   output.cpp     files for ParaView, pictures
//
// The populations are the same, bit for bit, on any number of ranks, with every exchange and in both layouts; mass and
// momentum are kept to round-off; both are checked in every run. `--verify` shows the order of convergence.
#include <cmath>
#include <cstdio>

#include "check.hpp"
#include "compare.hpp"
#include "harness/machine.hpp"
#include "options.hpp"
#include "output.hpp"

namespace {

using namespace lattice_boltzmann;

/// The changes of mass and momentum since the start, divided by the mass, and by mass times speed.
struct drift {
  double mass, momentum;
  bool small() const { return mass < 1e-11 && momentum < 1e-9; }  // false for NaN
};

drift drift_of(const state& first, const state& last, const flow& what) {
  double moved = 0;
  for (std::size_t d = 0; d < 3; ++d) moved = std::max(moved, std::abs(last.momentum[d] - first.momentum[d]));
  // Walls take momentum, so it is not conserved with walls.
  return {std::abs(last.mass / first.mass - 1), what.walls ? 0 : moved / (first.mass * what.speed)};
}

void introduce(const run_options& given, int ranks) {
  const auto& c = given.what.cells;
  const auto& g = given.grid;
  std::printf(
      "lattice_boltzmann: %s, %s, %ld x %ld x %ld cells, %d rank%s (%d x %d x %d), %s, %s, %s halo, kernel %s\n",
      given.lattice->name.data(), given.what.name.data(), c[0], c[1], c[2], ranks, ranks == 1 ? "" : "s", g[0], g[1],
      g[2], name_of(given.how.order), name_of(given.how.how), name_of(given.how.kind), kernels().name);
}

void print_phases(const phases& p, long steps, long cells) {
  const double all = p.total() / static_cast<double>(steps);
  const auto line = [&](const char* name, double seconds) {
    std::printf("  %-12s %12.1f us a step  %5.1f%%\n", name, 1e6 * seconds / static_cast<double>(steps),
                100 * seconds / p.total());
  };
  line("propagate", p.propagate);
  line("collide", p.collide);
  line("halo: pack", p.pack);
  line("halo: wait", p.wait);
  line("halo: unpack", p.unpack);
  std::printf("  %-12s %12.1f us a step, %.1f million cells a second\n", "total", 1e6 * all,
              1e-6 * static_cast<double>(cells) / all);
}

/// The results of a run or of a test of the order, for `--json`.
void write(const run_options& given, int rank, bench::json found) {
  if (rank != 0 || given.json.empty()) return;
  bench::write_json(given.json, {found.add("bench", "lattice_boltzmann").add("exchange", given.exchange->name),
                                 bench::machine_record().add("bench", "machine")});
}

int simulate(const run_options& given, int rank, int ranks) {
  const subdomain mine(MPI_COMM_WORLD, given.what.cells, given.grid, given.what.periodic());
  solver one(mine, *given.lattice, given.what, *given.exchange, given.how);
  const auto first = one.look();
  for (long step = 0; step < given.steps; ++step) one.step();
  const auto last = one.look();
  const auto moved = drift_of(first, last, given.what);
  const auto spent = mean_over_ranks(one.spent(), MPI_COMM_WORLD);
  if (!given.vtk.empty()) write_vtk(given.vtk, one);
  if (!given.image.empty()) write_picture(given.image, one);
  if (rank == 0) {
    introduce(given, ranks);
    std::printf("carried by %s, %d lines\n", one.exchange().carrier().c_str(), given.exchange->lines);
    print_phases(spent, given.steps, mine.all[0] * mine.all[1] * mine.all[2]);
    std::printf("populations after %ld steps: %016llx\n", given.steps,
                static_cast<unsigned long long>(last.fingerprint));
    std::printf("mass kept to %.1e, momentum to %.1e; velocity differs from the solution by %.3e: %s\n", moved.mass,
                moved.momentum, last.error, moved.small() ? "verified" : "NOT VERIFIED");
  }
  const double us = 1e6 / static_cast<double>(given.steps);
  write(given, rank,
        bench::json()
            .add("ranks", ranks)
            .add("steps", given.steps)
            .add("propagate_us", us * spent.propagate)
            .add("collide_us", us * spent.collide)
            .add("pack_us", us * spent.pack)
            .add("wait_us", us * spent.wait)
            .add("unpack_us", us * spent.unpack)
            .add("error", last.error)
            .add("verified", moved.small()));
  return moved.small() ? 0 : 1;
}

// ----------------------------------------------------------------------------------------------------------- the order

/// Doubles the number of cells along each axis (Poiseuille: between the walls). The time grows with the square of this
/// number, and the speed with its inverse, so that the viscosity and the flow stay the same.
flow refined(const flow& what) {
  flow fine = what;
  fine.speed /= 2;
  for (std::size_t d = 0; d < 3; ++d)
    if (what.walls ? d == 1 : what.cells[d] > 1) fine.cells[d] *= 2;
  return fine;
}

double error_of(const run_options& given, const flow& what, int rank, bool& kept) {
  const subdomain mine(MPI_COMM_WORLD, what.cells, given.grid, what.periodic());
  solver one(mine, *given.lattice, what, *given.exchange, given.how);
  const double side = static_cast<double>(what.cells[1]);
  const long steps = std::lround(what.walls ? 12 * side * side / (6 * what.viscosity()) : side * side / 8);
  const auto first = one.look();
  for (long step = 0; step < steps; ++step) one.step();
  const auto last = one.look();
  const auto moved = drift_of(first, last, what);
  kept = kept && moved.small();
  if (rank == 0)
    std::printf("%4ld x %ld x %ld cells: %6ld steps, error %.4e, mass kept to %.1e, momentum to %.1e\n", what.cells[0],
                what.cells[1], what.cells[2], steps, last.error, moved.mass, moved.momentum);
  return last.error;
}

int verify(const run_options& given, int rank, int ranks) {
  if (rank == 0) introduce(given, ranks);
  bool kept = true;
  const double coarse = error_of(given, given.what, rank, kept),
               fine = error_of(given, refined(given.what), rank, kept);
  const double order = std::log2(coarse / fine);
  const bool verified = kept && std::abs(order - 2) < 0.15;  // false for NaN
  if (rank == 0) std::printf("order %.3f: %s\n", order, verified ? "verified" : "NOT VERIFIED");
  write(given, rank,
        bench::json().add("ranks", ranks).add("order", order).add("error", fine).add("verified", verified));
  return verified ? 0 : 1;
}

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto given = parse(words, comm.size());
  if (given.verify) return verify(given, comm.rank(), comm.size());
  if (given.check || given.compare) {
    if (comm.rank() == 0) introduce(given, comm.size());
    return given.check ? check(given, comm.rank()) : compare(given, comm.rank());
  }
  return simulate(given, comm.rank(), comm.size());
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
