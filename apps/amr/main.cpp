// Structured adaptive mesh refinement on Wherry's blocks: a bump carried by the wind, with fine blocks that follow it.
// The program verifies that mass is conserved, and that the error is as small as on a grid that is fine everywhere.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compare.hpp"
#include "harness/arguments.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "hierarchy.hpp"
#include "picture.hpp"

namespace {

using namespace amr;

constexpr const char* usage =
    "usage: amr [--size N] [--levels L] [--shape gaussian|disc] [--time T] [--compare] [--image FILE] [--json FILE]\n"
    "Carries a bump across a periodic square on levels of refinement; compares with grids that are coarse and fine\n"
    "everywhere.\n"
    "  --size N      coarse cells a side, even (default 64)\n"
    "  --levels L    of which each has cells of half the width, 2 to 5 (default 3)\n"
    "  --shape S     gaussian: smooth; disc: with an edge (default gaussian)\n"
    "  --time T      how long; after 2 the bump is where it began (default 1)\n"
    "  --compare     time the ghost cells of the fine blocks beside MPI written by hand\n"
    "  --image FILE  draw the last state and the boxes (a pixmap; picture.py makes a PNG of it)\n"
    "  --json FILE   write the results to FILE\n";

constexpr double courant = 0.8;  // of the stability limit
constexpr int steps_between_regrids = 4;

struct result {
  hierarchy::totals first, last;
  int steps = 0;
  double seconds = 0, regridding = 0, drift = 0;  ///< seconds of the slowest rank; regridding is part of them
};

double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

result solve(hierarchy& h, double time) {
  result measured;
  measured.first = h.measure();
  const double most = courant * h.width() / (std::abs(velocity[0]) + std::abs(velocity[1]));
  measured.steps = static_cast<int>(std::ceil(time / most));
  const double began = MPI_Wtime();
  for (int i = 0; i < measured.steps; ++i) {
    if (i > 0 && i % steps_between_regrids == 0) {
      const double before = MPI_Wtime();
      h.regrid();
      measured.regridding += MPI_Wtime() - before;
    }
    h.step(time / measured.steps);
  }
  measured.seconds = slowest(MPI_Wtime() - began);
  measured.regridding = slowest(measured.regridding);
  measured.last = h.measure();
  measured.drift = std::abs(measured.last.mass / measured.first.mass - 1);
  return measured;
}

shape find_shape(const std::string& name) {
  if (name == "gaussian") return shape::gaussian;
  if (name == "disc") return shape::disc;
  throw bench::usage_error("--shape is '" + name + "', expected gaussian or disc");
}

int run(bench::arguments& words) {
  hierarchy_options how;
  how.cells = words.integer("--size", 64, 16, 4096);
  how.levels = static_cast<int>(words.integer("--levels", 3, 2, 5));
  how.what = find_shape(words.text("--shape", "gaussian"));
  const double time = words.number("--time", 1, 0.001, 100);
  const bool compares = words.flag("--compare");
  const auto image = words.text("--image");
  const auto file = words.text("--json");
  words.finish();
  const wherry::communicator comm(MPI_COMM_WORLD);
  const bool talks = comm.rank() == 0;

  const auto report = [&](const char* name, const result& r) {
    if (!talks) return;
    std::printf("%-18s %5d steps %7.3f s  error %.6e  mass %.15f  drift %.1e", name, r.steps, r.seconds, r.last.error,
                r.last.mass, r.drift);
    if (r.last.refined > 0) std::printf("  %.0f %% refined, regridding %.3f s", 100 * r.last.refined, r.regridding);
    std::printf("\n");
    std::fflush(stdout);
  };
  const auto uniform = [&](index_t cells) {
    auto alone = how;
    alone.levels = 1;
    alone.cells = cells;
    hierarchy h(comm, alone);
    return solve(h, time);
  };

  hierarchy adaptive(comm, how);
  const auto both = solve(adaptive, time);
  report(bench::text(how.levels, " levels").c_str(), both);
  if (!image.empty()) draw(adaptive, image);
  comparison ghosts;
  if (compares) ghosts = compare_ghosts(*adaptive.levels().back());
  const auto coarse = uniform(how.cells), fine = uniform(how.cells << (how.levels - 1));
  report("coarse everywhere", coarse);
  report("fine everywhere", fine);

  const bool conserved = std::max({both.drift, coarse.drift, fine.drift}) < 1e-12;
  const bool accurate = both.last.error < 1.1 * fine.last.error;
  const bool verified = conserved && accurate && coarse.last.error > both.last.error && ghosts.unlike == 0;
  if (!talks) return verified ? 0 : 1;
  std::printf("fine blocks: %d, state %016llx\n", adaptive.levels().back()->plan().size(),
              static_cast<unsigned long long>(both.last.state));
  if (compares)
    std::printf("ghost cells of the fine blocks: %.1f us, by hand %.1f us, ratio %.2f; %s\n", ghosts.ours,
                ghosts.by_hand, ghosts.ours / ghosts.by_hand, ghosts.unlike == 0 ? "all alike" : "NOT ALIKE");
  std::printf("the error is %.3f of the fine grid's, %.3f of the coarse grid's: %s\n",
              both.last.error / fine.last.error, both.last.error / coarse.last.error,
              verified     ? "verified"
              : !conserved ? "NOT CONSERVED"
                           : "NOT VERIFIED");
  if (!file.empty())
    bench::write_json(file, {bench::json()
                                 .add("bench", "amr")
                                 .add("size", how.cells)
                                 .add("levels", how.levels)
                                 .add("ranks", comm.size())
                                 .add("error", both.last.error)
                                 .add("error_coarse", coarse.last.error)
                                 .add("error_fine", fine.last.error)
                                 .add("drift", both.drift)
                                 .add("refined", both.last.refined)
                                 .add("seconds", both.seconds)
                                 .add("seconds_regridding", both.regridding)
                                 .add("seconds_fine", fine.seconds)
                                 .add("ghosts_us", ghosts.ours)
                                 .add("ghosts_by_hand_us", ghosts.by_hand)
                                 .add("verified", verified)
                                 .add("machine", bench::machine_record())});
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
