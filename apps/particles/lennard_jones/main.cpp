// A Lennard-Jones liquid, divided among ranks. `liquid.cpp` has all that communicates, and this file tests it: the
// energy of the crystal is the published one, positions after 100 steps are those of a program on one rank that goes
// through all pairs, and energy, momentum and particles are conserved.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "common/report.hpp"
#include "harness/arguments.hpp"
#include "liquid.hpp"
#include "picture.hpp"
#include "reference.hpp"

namespace {

using namespace liquid;
using apps::report;

constexpr const char* usage =
    "usage: lennard_jones [--cells K] [--steps S] [--dt T] [--seed N] [--image FILE]\n"
    "A Lennard-Jones liquid of 4 K^3 particles in a periodic box, at the start a crystal, by velocity Verlet.\n"
    "  --cells K      of the crystal along each side, 3 to 60 (default 5: 500 particles); up to 12, positions are "
    "compared\n"
    "  --steps S      at least 100 (default 10000)\n"
    "  --dt T         the time of a step, in reduced units (default 0.004)\n"
    "  --seed N       of the velocities (default 1)\n"
    "  --image FILE   the particles at the start and at the end, as a PNG picture, in the colours of their ranks\n";

constexpr int compared_steps = 100, compared_cells = 12;

/// The energy of a particle of the crystal at this density, with the potential cut at 2.5, as LAMMPS prints it for its
/// benchmark bench/in.lj.
constexpr double published_energy = -6.7733681;

/// The largest change of a particle's mean energy at any step, most of which velocity Verlet makes while the crystal
/// melts (it is 16 times smaller with a quarter of the step), and the drift over a whole run of at least
/// `drifting_steps`.
constexpr double change_bound = 2e-3, drift_bound = 1e-4;
constexpr long drifting_steps = 2000;

/// The straight line that fits points best.
class line_fit {
 public:
  void add(double x, double y) {
    const double weight = n_ / (n_ + 1), dx = x - x_, dy = y - y_;
    n_ += 1;
    x_ += dx / n_;
    y_ += dy / n_;
    xx_ += weight * dx * dx;
    xy_ += weight * dx * dy;
  }
  double slope() const { return xy_ / xx_; }

 private:
  double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;  // means, and sums of squares around them
};

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const bool talks = comm.rank() == 0;
  const box_of_liquid box{static_cast<int>(words.integer("--cells", 5, 3, 60)),
                          static_cast<int>(words.integer("--seed", 1, 0, 1 << 20))};
  const long steps = words.integer("--steps", 10000, compared_steps, 100'000'000);
  const double dt = words.number("--dt", 0.004, 1e-6, 0.01);
  const auto image = words.writable("--image", "", comm.rank());
  words.finish();

  simulation fluid(comm, box, dt);
  snapshot before, after;
  if (!image.empty()) before.all = fluid.gather(before.owners);
  const double n = box.count();
  const auto start = fluid.measure();
  if (talks)
    std::printf("%d particles in a box of side %.3f on %d ranks, %ld steps of %g\n", box.count(), box.side(),
                comm.size(), steps, dt);
  bool right =
      report(talks, "energy of the crystal, difference from LAMMPS's", fluid.cut_energy() / n - published_energy, 1e-7);
  double change = 0, momentum = 0;
  line_fit energies;
  for (long s = 1; s <= steps; ++s) {
    fluid.step();
    if (s == compared_steps && box.cells > compared_cells && talks)
      std::printf("the comparison with one rank's positions is left out: all pairs are too many\n");
    if (s == compared_steps && box.cells <= compared_cells) {
      snapshot now;
      now.all = fluid.gather(now.owners);
      double distance = talks ? largest_distance(box, advanced_alone(box, dt, compared_steps), now.all) : 0;
      MPI_Bcast(&distance, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      right = report(talks, "positions after 100 steps, distance from one rank's", distance, 1e-9) && right;
    }
    if (s % 10 != 0 && s != steps) continue;
    const auto now = fluid.measure();
    change = std::max(change, std::abs(now.energy() - start.energy()) / n);
    if (s >= compared_steps) energies.add(static_cast<double>(s), now.energy() / n);
    for (const double component : now.momentum) momentum = std::max(momentum, std::abs(component) / n);
    if (now.count != n || !std::isfinite(now.energy())) change = HUGE_VAL;
  }
  const auto end = fluid.measure();
  double farthest = fluid.farthest();
  MPI_Allreduce(MPI_IN_PLACE, &farthest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  right = report(talks, "energy of a particle, largest change", change, change_bound) && right;
  if (steps >= drifting_steps) {
    const double drift = energies.slope() * static_cast<double>(steps);
    right = report(talks, "energy of a particle, drift over all steps", drift, drift_bound) && right;
  }
  right = report(talks, "momentum of a particle, largest", momentum, 1e-12) && right;
  right =
      report(talks, "way of a particle between moves, to half the skin", farthest / (simulation::skin / 2), 1) && right;
  if (talks)
    std::printf("energy %.6f, then %.6f; temperature %.3f, then %.3f: %s\n", start.energy() / n, end.energy() / n,
                2 * start.kinetic / (3 * (n - 1)), 2 * end.kinetic / (3 * (n - 1)),
                right ? "all verified" : "NOT ALL VERIFIED");
  if (!image.empty()) {
    after.all = fluid.gather(after.owners);
    if (talks) draw(image, box.side(), {std::move(before), std::move(after)});
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
