// NAS MG: a multigrid solver for the Poisson equation in a periodic cube, on Wherry's halo exchange. Any number of
// ranks.
#include <cmath>
#include <cstdio>

#include "common/arguments.hpp"
#include "common/json.hpp"
#include "common/machine.hpp"
#include "multigrid.hpp"
#include "right_hand_side.hpp"

namespace {

constexpr const char* usage =
    "usage: nas_mg [--class S|W|A|B] [--transport NAME] [--json FILE]\n"
    "Solves the NAS MG problem by V-cycles and compares the residual with the official one.\n"
    "  --class C          grid and iterations: S 32^3, 4; W 128^3, 4; A 256^3, 4; B 256^3, 20 (default S)\n"
    "  --transport NAME   one of Wherry's transports (default auto; `./run info` lists them)\n"
    "  --json FILE        write the results to FILE\n";

const nas_mg::problem& find_class(const std::string& name) {
  for (const auto& row : nas_mg::problems)
    if (row.name == name) return row;
  throw apps::usage_error("--class is '" + name + "', expected S, W, A or B");
}

std::string find_transport(const std::string& name) {
  if (name == "auto") return name;
  try {
    return wherry::find_transport(name).name;
  } catch (const wherry::error& failure) {
    throw apps::usage_error(failure.text());
  }
}

/// Seconds between start and stop, summed.
class stopwatch {
 public:
  void start() { began_ = MPI_Wtime(); }
  void stop() { seconds_ += MPI_Wtime() - began_; }
  double seconds() const { return seconds_; }

 private:
  double began_ = 0, seconds_ = 0;
};

struct result {
  std::vector<double> convergence;  ///< the residual's norm at first and after each V-cycle
  double seconds = 0;
};

/// As NPB times it: from the first residual to the last norm. The norms in between are ours and not counted.
result solve(nas_mg::multigrid& solver, int iterations, bool talks) {
  result measured;
  stopwatch watch;
  solver.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  watch.start();
  solver.find_residual();
  measured.convergence.push_back(solver.residual_norm());
  for (int i = 1; i <= iterations; ++i) {
    solver.cycle();
    solver.find_residual();
    if (i < iterations) watch.stop();
    measured.convergence.push_back(solver.residual_norm());
    if (i == iterations) watch.stop();
    if (talks) {
      std::printf("  V-cycle %2d of %d: residual %.13e\n", i, iterations, measured.convergence.back());
      std::fflush(stdout);
    }
    if (i == iterations) break;
    MPI_Barrier(MPI_COMM_WORLD);  // nobody's clock runs while rank 0 prints
    watch.start();
  }
  const double mine = watch.seconds();
  MPI_Allreduce(&mine, &measured.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return measured;
}

int run(apps::arguments& words) {
  const auto& problem = find_class(words.text("--class", "S"));
  const auto transport = find_transport(words.text("--transport", "auto"));
  const auto file = words.text("--json");
  words.finish();

  const wherry::communicator comm(MPI_COMM_WORLD);
  const bool talks = comm.rank() == 0;
  nas_mg::multigrid solver(comm, problem, transport);
  const std::string carried_by = solver.transport();
  if (talks)
    std::printf("NAS MG class %s: %ld^3 cells, %d V-cycles, %d rank%s (%s), carried by %s, kernels %s\n",
                std::string(problem.name).c_str(), problem.cells, problem.iterations, comm.size(),
                comm.size() == 1 ? "" : "s", solver.describe_levels().c_str(), carried_by.c_str(),
                nas_mg::kernels().name);
  nas_mg::fill_right_hand_side(MPI_COMM_WORLD, solver.right_hand_side(), solver.mine(), problem.cells);

  // One cycle untimed, so that all memory is there and all code has run.
  solver.find_residual();
  solver.cycle();
  const auto measured = solve(solver, problem.iterations, talks);

  const double norm = measured.convergence.back();
  const bool verified = std::abs(norm - problem.reference) <= nas_mg::tolerance * problem.reference;
  const double operations = 58.0 * problem.iterations * std::pow(static_cast<double>(problem.cells), 3);
  const double mops = operations / measured.seconds * 1e-6;
  if (!talks) return verified ? 0 : 1;

  std::printf("norm %.13e, reference %.13e: %s\n", norm, problem.reference, verified ? "verified" : "NOT VERIFIED");
  std::printf("%.4f s, %.0f Mop/s\n", measured.seconds, mops);
  if (!file.empty())
    apps::write_json(file, {apps::json()
                                .add("bench", "nas_mg")
                                .add("class", problem.name)
                                .add("ranks", comm.size())
                                .add("transport", carried_by)
                                .add("norm", norm)
                                .add("reference", problem.reference)
                                .add("verified", verified)
                                .add("mops", mops)
                                .add("seconds", measured.seconds)
                                .add("convergence", measured.convergence)
                                .add("machine", apps::machine_record())});
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return apps::run_app(argc, argv, usage, run); }
