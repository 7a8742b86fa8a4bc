// A small solver whose time is half collectives: conjugate gradients for the Poisson equation in a square, by plain
// MPI. The problem is small on purpose, like each rank's part when a program is scaled to its limit.
//
//   solver.cpp       the method: three MPI_Allreduce and an MPI_Allgatherv (or two MPI_Sendrecv) an iteration
//   coarse_grid.cpp  the preconditioner: Jacobi, and a coarse grid that all ranks add up and solve
//   problem.cpp      the equation and its solution
//
// It knows nothing of Wherry's collectives: `LD_PRELOAD=libwherry_collective_preload.so` makes them Wherry's.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "solver.hpp"

namespace {

using namespace conjugate_gradient;

constexpr const char* usage =
    "usage: conjugate_gradient [--n N] [--aggregates M] [--bring everything|rows] [--tolerance T] [--seconds S]\n"
    "                          [--solves K] [--verify] [--json FILE]\n"
    "Conjugate gradients for the Poisson equation in a square of N x N cells, on plain MPI.\n"
    "  --n N              unknowns along each axis (default 64)\n"
    "  --aggregates M     along each axis, of the coarse grid (default 8, at most N)\n"
    "  --bring WHAT       what a rank gets of the others' vector: everything, by MPI_Allgatherv (default), or the "
    "rows\n"
    "                     beside its own, by MPI_Sendrecv\n"
    "  --tolerance T      by which the residual shrinks (default 1e-9)\n"
    "  --seconds S        time for solving again and again (default 2)\n"
    "  --solves K         at least so many times (default 5)\n"
    "  --verify           instead: solve with N and 2 N, and show the order (N: default 32)\n"
    "  --json FILE        write the result to FILE\n";

struct options {
  problem what;
  bring how = bring::everything;
  double tolerance = 1e-9, seconds = 2;
  int solves = 5;
  bool verify = false;
  std::string file;
};

struct way {
  std::string_view name;
  bring how;
};

options parse(bench::arguments& words, int ranks) {
  options given;
  given.verify = words.flag("--verify");
  given.what.n = words.integer("--n", given.verify ? 32 : 64, 1, 8192);
  given.what.aggregates = words.integer("--aggregates", std::min(8L, given.what.n), 1, 128);
  given.how =
      words.one_of(std::array{way{"everything", bring::everything}, way{"rows", bring::rows}}, "--bring", "everything")
          .how;
  given.tolerance = words.number("--tolerance", 1e-9, 1e-13, 0.5);
  given.seconds = words.number("--seconds", 2, 0, 3600);
  given.solves = static_cast<int>(words.integer("--solves", 5, 2, 1'000'000));
  given.file = words.text("--json");
  words.finish();
  if (given.what.aggregates > given.what.n)
    throw bench::usage_error(
        bench::text("--aggregates is ", given.what.aggregates, ", more than the ", given.what.n, " cells of --n"));
  if (ranks > given.what.n)
    throw bench::usage_error(bench::text("--n is ", given.what.n, ", less than there are ranks, ", ranks));
  return given;
}

double converged_error(const options& given, const problem& what, bool talks) {
  solver one(MPI_COMM_WORLD, what, given.how);
  const auto found = one.solve(given.tolerance);
  const double error = one.error();
  if (talks)
    std::printf("n = %4ld: %4d iterations, residual %.1e, largest error %.4e\n", what.n, found.iterations,
                found.residual, error);
  return error;
}

int verify(const options& given, bool talks) {
  problem fine = given.what;
  fine.n *= 2;
  const double coarse_error = converged_error(given, given.what, talks),
               fine_error = converged_error(given, fine, talks);
  const double order = std::log(coarse_error / fine_error) / std::log(given.what.h() / fine.h());
  const bool verified = std::abs(order - 2) < 0.1;  // false for NaN
  if (talks) std::printf("order %.3f: %s\n", order, verified ? "verified" : "NOT VERIFIED");
  return verified ? 0 : 1;
}

int run(bench::arguments& words) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto given = parse(words, ranks);
  const bool talks = rank == 0;
  if (given.verify) return verify(given, talks);

  solver one(MPI_COMM_WORLD, given.what, given.how);
  outcome found;
  double in_messages = 0, in_all = 0;
  const auto solve = [&] {
    const double began = MPI_Wtime(), messages = one.in_messages();
    found = one.solve(given.tolerance);
    in_all += MPI_Wtime() - began;
    in_messages += one.in_messages() - messages;
  };
  const auto standings = bench::contest(MPI_COMM_WORLD, {{"solve", solve, [&] { return one.in_collectives(); }}},
                                        given.seconds, given.solves);
  const double error = one.error();
  const bool right = found.residual <= given.tolerance && error <= given.what.largest_error();
  if (!talks) return right ? 0 : 1;

  const auto& times = standings.front();
  const double us = bench::median(times.us), share = bench::median(times.waiting);
  const double spread = us > 0 ? (bench::quantile(times.us, 0.75) - bench::quantile(times.us, 0.25)) / us : 0;
  std::printf("conjugate gradients: %ld x %ld cells, %ld x %ld aggregates, %d rank%s\n", given.what.n, given.what.n,
              given.what.aggregates, given.what.aggregates, ranks, ranks == 1 ? "" : "s");
  std::printf("%d iterations, residual %.1e, largest error %.6e: %s\n", found.iterations, found.residual, error,
              right ? "verified" : "NOT VERIFIED");
  std::printf("%.3f ms a solve, %.2f µs an iteration, median of %zu (spread %.0f %%)\n", 1e-3 * us,
              us / found.iterations, times.us.size(), 100 * spread);
  std::printf("collectives: %.0f %% of the time (%s an iteration); messages to neighbours: %.0f %%\n", 100 * share,
              one.collectives().c_str(), in_all > 0 ? 100 * in_messages / in_all : 0);
  if (given.file.empty()) return right ? 0 : 1;
  auto record = bench::json()
                    .add("bench", "conjugate_gradient")
                    .add("case", bench::text(given.what.n, "^2"))
                    .add("ranks", ranks)
                    .add("mpi", wherry::mpi_library_version());
  record.add("us", us).add("spread", spread).add("rounds", times.us.size()).add("collectives", share);
  record.add("iterations", found.iterations).add("error", error).add("correct", right);
  bench::write_json(given.file, {record, bench::machine_record().add("bench", "machine")});
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
