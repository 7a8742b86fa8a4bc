// Maxwell's equations in a box with conducting walls: a staggered mesh, with values on edges, faces, corners and in
// cells, divided among ranks. `solver.cpp` is the solver, and this file tests it: a standing wave is compared with the
// analytic solution at two resolutions, and a random field in a random material must keep its energy and charge and
// have the same bits on any number of ranks.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/arguments.hpp"
#include "solver.hpp"

namespace {

using namespace cavity;

constexpr const char* usage =
    "usage: cavity [--cells N,N,N] [--steps S] [--transport NAME]\n"
    "The electromagnetic field in a box with conducting walls, by Yee's leapfrog on a staggered mesh.\n"
    "  --cells NX,NY,NZ   of the box in disorder (default 12,10,14); a standing wave has 12 and 24 a side\n"
    "  --steps S          of its time (default 50)\n"
    "  --transport NAME   one of Wherry's transports (default auto; `./run info` lists them)\n";

constexpr double pi = 3.14159265358979323846;

/// A standing wave, with the electric field along y and zero at the walls.
double standing_wave(double time, double n, int d, const point& place) {
  const double x = static_cast<double>(place[0]) / n, z = static_cast<double>(place[2]) / n;
  return d == 1 ? std::sin(pi * x) * std::sin(pi * z) * std::cos(pi * std::sqrt(2.0) * time) : 0.0;
}

double error_of_wave(const wherry::communicator& comm, long n, const std::string& transport) {
  const auto exact = [n](double time) {
    return [n, time](int d, const point& place) { return standing_wave(time, static_cast<double>(n), d, place); };
  };
  solver wave(comm, {n, n, n}, [](const point&) { return 1.0; }, exact(0), transport);
  while (wave.time() < 1) wave.step();
  const double error = wave.error(exact(wave.time()));
  if (comm.rank() == 0)
    std::printf("standing wave, %3ld cells a side: largest error %.3e at time %.3f\n", n, error, wave.time());
  return error;
}

/// A random field, the same on all ranks. Its values are small multiples of powers of two, so that their sums are exact
/// in any order.
double disorder(const point& place, int what) {
  wherry::shape_hash here;
  for (const auto i : place) here.add(i);
  return static_cast<double>(here.add(what).value() >> 8 & 7) / 8;
}

bool keeps(const char* what, double before, double after, double scale, int rank) {
  const bool kept = std::abs(after - before) <= 1e-12 * scale;  // false for NaN
  if (rank == 0)
    std::printf("%s from %.9g to %.9g, a change of %.1e: %s\n", what, before, after, std::abs(after - before),
                kept ? "kept" : "NOT KEPT");
  return kept;
}

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto cells = words.list<long>("--cells", {12, 10, 14});
  const long steps = words.integer("--steps", 50, 1, 1000000);
  const auto transport = words.text("--transport", "auto");
  words.finish();
  if (cells.size() != 3 || *std::max_element(cells.begin(), cells.end()) > 2000)
    throw bench::usage_error("--cells wants three numbers of at most 2000, as in 12,10,14");

  const double order = std::log2(error_of_wave(comm, 12, transport) / error_of_wave(comm, 24, transport));
  bool right = std::abs(order - 2) < 0.1;  // false for NaN
  if (comm.rank() == 0) std::printf("order %.3f: %s\n", order, right ? "verified" : "NOT VERIFIED");

  solver wild(
      comm, {cells[0], cells[1], cells[2]}, [](const point& cell) { return 1 + disorder(cell, 3); },
      [](int d, const point& place) { return disorder(place, d) - 0.5; }, transport);
  const double energy = wild.energy_of_step(), charge = wild.largest_charge();
  for (long s = 2; s < steps; ++s) wild.step();
  const double energy_then = wild.energy_of_step();
  right = keeps("energy", energy, energy_then, energy, comm.rank()) && right;
  right = keeps("largest charge", charge, wild.largest_charge(), charge, comm.rank()) && right;
  const auto bits = wild.fingerprint();
  if (comm.rank() == 0)
    std::printf("%ld x %ld x %ld cells in disorder, %ld steps: all bits together %016llx\n", cells[0], cells[1],
                cells[2], steps, static_cast<unsigned long long>(bits));
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
