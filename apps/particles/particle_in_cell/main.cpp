// Particles that carry charges to a mesh, as in particle-in-cell codes: they move to the ranks that own their cells,
// and their charges are divided among the nodes of the mesh. `mesh.cpp` has all that communicates, and this file tests
// it. In a magnetic field each particle runs in a circle, so that the charges on the mesh come back after one turn.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "common/report.hpp"
#include "harness/arguments.hpp"
#include "mesh.hpp"
#include "picture.hpp"

namespace {

using namespace charges;
using apps::report;

constexpr const char* usage =
    "usage: particle_in_cell [--cells N] [--box N] [--particles N] [--turn S] [--image FILE]\n"
    "Charges on a mesh of squares, from particles that run in circles.\n"
    "  --cells N       of the mesh along each side, 2 to 2000 (default 64)\n"
    "  --box N         the most cells of a box along each side (default 16)\n"
    "  --particles N   half of them positive (default 100000)\n"
    "  --turn S        steps in a circle, an even number (default 40)\n"
    "  --image FILE    the mesh before, after half a turn and after a whole one, as a PNG picture, with the boxes in "
    "the\n"
    "                  colours of their ranks\n";

/// Returns the same value on all ranks, rank 0's.
double from_rank_0(double value) {
  MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return value;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);  // also if it is no number
  return largest;
}

/// The charges on the nodes by one rank, without Wherry.
std::vector<double> deposited_alone(const particles& p, int cells) {
  const auto n = static_cast<std::size_t>(cells);
  std::vector<double> result(n * n, 0);
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    const auto i = static_cast<std::size_t>(p.x[k]), j = static_cast<std::size_t>(p.y[k]);
    for (std::size_t up = 0; up < 2; ++up)
      for (std::size_t right = 0; right < 2; ++right)
        result[(j + up) % n * n + (i + right) % n] += p.charge[k] *
                                                      (1 - std::abs(p.x[k] - static_cast<double>(i + right))) *
                                                      (1 - std::abs(p.y[k] - static_cast<double>(j + up)));
  }
  return result;
}

/// Returns copies of all particles on rank 0. Collective.
particles gathered(const wherry::communicator& comm, particles p) {
  wherry::particle_exchange<2> to_rank_0(comm);
  to_rank_0(wherry::by_owner([](std::size_t) { return 0; }), p.x, p.y, p.vx, p.vy, p.charge, p.id);
  return p;
}

/// The sum over all particles of their charges times the density at their places. Collective.
double charges_times_density(const mesh& on, const particles& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.x.size(); ++i) sum += p.charge[i] * on.at(p.x[i], p.y[i]);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const bool talks = comm.rank() == 0;
  const int cells = static_cast<int>(words.integer("--cells", 64, 2, 2000));
  const int box = static_cast<int>(words.integer("--box", 16, 1, 2000));
  const int count = static_cast<int>(words.integer("--particles", 100000, 2, 100'000'000)) / 2 * 2;
  const int turn = static_cast<int>(words.integer("--turn", 40, 4, 100000)) / 2 * 2;
  const auto image = words.writable("--image", "", comm.rank());
  words.finish();

  mesh on(comm, cells, box);
  if (talks)
    std::printf("%d particles, %d x %d cells in %d boxes on %d ranks\n", count, cells, cells, on.boxes().size(),
                comm.size());

  auto even = talks ? lattice(cells) : particles{};
  on.move(even);
  on.deposit(even);
  auto density = on.gather();
  bool right = report(talks, "charges of a lattice, difference from 4 a node",
                      from_rank_0(largest_difference(density, std::vector<double>(density.size(), 4))), 0);

  auto p = talks ? two_rings(cells, count, turn) : particles{};
  const double density_scale = static_cast<double>(count) / cells / cells;
  std::vector<std::vector<double>> shown;
  double moved = 0;
  on.move(p);
  for (int step = 0; step <= turn; ++step) {
    on.deposit(p);
    if (step % (turn / 2) == 0) shown.push_back(on.gather());
    if (step == turn / 2) {
      const auto all = gathered(comm, p);
      const double alone = talks ? largest_difference(shown.back(), deposited_alone(all, cells)) : 0;
      right = report(talks, "after half a turn: charges of a node, from one rank's", from_rank_0(alone) / density_scale,
                     1e-12) &&
              right;
      right =
          report(talks, "  sum of all charges", on.sum([](double charge) { return charge; }) / count, 1e-12) && right;
      const double squares = on.sum([](double charge) { return charge * charge; });
      right = report(talks, "  density at the particles, from the sum of squares",
                     charges_times_density(on, p) / squares - 1, 1e-12) &&
              right;
    }
    if (step == turn) break;
    push(p, turn);
    moved += static_cast<double>(on.move(p));
  }
  right = report(talks, "after a turn: charges of a node, from the start's",
                 from_rank_0(largest_difference(shown.back(), shown.front())) / density_scale, 1e-9) &&
          right;
  double now = static_cast<double>(p.x.size());
  MPI_Allreduce(MPI_IN_PLACE, &now, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  right = right && now == count;
  if (talks)
    std::printf("%.0f particles at the end, after %.0f moves to another rank: %s\n", now, moved,
                right ? "all verified" : "NOT ALL VERIFIED");
  if (!image.empty() && talks) draw(image, on.boxes(), shown);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
