// NAS MG: a multigrid solver for the Poisson equation in a periodic cube, on Wherry's x-arrays and movers. Any
// number of ranks.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/copy_rate.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "multigrid.hpp"
#include "right_hand_side.hpp"

namespace {

constexpr const char* usage =
    "usage: nas_mg [--class S|W|A|B|C] [--transport NAME] [--overlap] [--hand-written] [--compare] [--rounds R]\n"
    "              [--json FILE]\n"
    "Solves the NAS MG problem by V-cycles and compares the residual with the official one.\n"
    "  --class C          grid and iterations: S 32^3, 4; W 128^3, 4; A 256^3, 4; B 256^3, 20; C 512^3, 20\n"
    "                     (default S)\n"
    "  --transport NAME   one of Wherry's transports (default auto; `./run info` lists them)\n"
    "  --overlap          compute the inner planes while ghost cells move (where only z is cut)\n"
    "  --hand-written     fill the ghost cells by MPI calls; between levels of fewer ranks movers move all the same\n"
    "  --compare          time all these beside each other\n"
    "  --rounds R         with --compare: times that each is timed (default 5, at least 2); medians are shown\n"
    "  --json FILE        write the results to FILE\n";

nas_mg::problem find_class(const std::string& name) {
  for (const auto& row : nas_mg::problems)
    if (row.name == name) return row;
  throw bench::usage_error("--class is '" + name + "', expected S, W, A, B or C");
}

std::string find_transport(const std::string& name) {
  if (name == "auto") return name;
  try {
    return wherry::transports::find_transport(name).name;
  } catch (const wherry::error& failure) {
    throw bench::usage_error(failure.text());
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

/// The time is measured as by NPB, from the first residual to the last norm. The norms in between are additions of ours
/// and are not counted.
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
    MPI_Barrier(MPI_COMM_WORLD);  // so that no rank's clock runs while rank 0 prints
    watch.start();
  }
  const double mine = watch.seconds();
  MPI_Allreduce(&mine, &measured.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return measured;
}

bool is_right(double norm, const nas_mg::problem& problem) {
  return std::abs(norm - problem.reference) <= nas_mg::tolerance * problem.reference;  // false for NaN
}

double mega_operations(const nas_mg::problem& problem) {
  return 58e-6 * problem.iterations * std::pow(static_cast<double>(problem.cells), 3);
}

int solve_once(const wherry::communicator& comm, const nas_mg::problem& problem, const nas_mg::communication& by,
               const std::string& file) {
  const bool talks = comm.rank() == 0;
  nas_mg::multigrid solver(comm, problem, by);
  const std::string carried_by = solver.transport();
  if (talks)
    std::printf("NAS MG class %s: %ld^3 cells, %d V-cycles, %d rank%s (%s), carried by %s, kernels %s\n",
                std::string(problem.name).c_str(), problem.cells, problem.iterations, comm.size(),
                comm.size() == 1 ? "" : "s", solver.describe_levels().c_str(), carried_by.c_str(),
                nas_mg::kernels().name);
  nas_mg::fill_right_hand_side(MPI_COMM_WORLD, solver.right_hand_side(), solver.mine(), problem.cells);

  // One cycle is not timed, so that all memory is allocated and all code has run.
  solver.find_residual();
  solver.cycle();
  const auto measured = solve(solver, problem.iterations, talks);

  const double norm = measured.convergence.back();
  const bool verified = is_right(norm, problem);
  const double mops = mega_operations(problem) / measured.seconds;
  if (!talks) return verified ? 0 : 1;

  std::printf("norm %.13e, reference %.13e: %s\n", norm, problem.reference, verified ? "verified" : "NOT VERIFIED");
  std::printf("%.4f s, %.0f Mop/s\n", measured.seconds, mops);
  if (!file.empty())
    bench::write_json(file, {bench::json()
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
                                 .add("machine", bench::machine_record())});
  return verified ? 0 : 1;
}

// ------------------------------------------------------------------------------------------------------ the comparison

/// One way to solve the problem, and the norm from its last run.
struct version {
  std::string name;
  std::shared_ptr<nas_mg::multigrid> solver;
  bool verified = true;  ///< all runs
};

void solve_untalkative(version& one, const nas_mg::problem& problem) {
  auto& solver = *one.solver;
  solver.reset();
  solver.find_residual();
  for (int i = 0; i < problem.iterations; ++i) {
    solver.cycle();
    solver.find_residual();
  }
  one.verified = is_right(solver.residual_norm(), problem) && one.verified;
}

int compare(const wherry::communicator& comm, const nas_mg::problem& problem, const std::string& transport, int rounds,
            const std::string& file) {
  std::vector<version> versions;
  const auto add = [&](const char* name, bool by_hand, bool overlapped) {
    versions.push_back({name, std::make_shared<nas_mg::multigrid>(
                                  comm, problem, nas_mg::communication{transport, by_hand, overlapped})});
    auto& solver = *versions.back().solver;
    nas_mg::fill_right_hand_side(MPI_COMM_WORLD, solver.right_hand_side(), solver.mine(), problem.cells);
  };
  add("Wherry", false, false);
  add("MPI by hand", true, false);
  add("Wherry, overlapped", false, true);
  add("MPI by hand, overlapped", true, true);
  const std::vector<bench::pairing> pairs{{0, 1}, {2, 3}, {2, 0}, {3, 1}};

  std::vector<bench::contender> contenders;
  for (auto& one : versions)
    contenders.push_back(
        {one.name, [&] { solve_untalkative(one, problem); }, [&] { return one.solver->communicating(); }});
  const double rate_before = bench::copy_rate(MPI_COMM_WORLD);
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, 0, rounds);
  const double rate_after = bench::copy_rate(MPI_COMM_WORLD);
  const bool verified = std::all_of(versions.begin(), versions.end(), [](const version& v) { return v.verified; });
  if (comm.rank() != 0) return verified ? 0 : 1;

  std::printf("NAS MG class %s: %ld^3 cells, %d V-cycles, %d rank%s, carried by %s\n",
              std::string(problem.name).c_str(), problem.cells, problem.iterations, comm.size(),
              comm.size() == 1 ? "" : "s", versions.front().solver->transport().c_str());
  for (const auto& v : versions)
    std::printf("%s: %s\n", v.name.c_str(), v.verified ? "all runs verified" : "NOT VERIFIED");
  bench::print_standings(standings, pairs);
  const auto mops = [&](const bench::standing& s) { return 1e6 * mega_operations(problem) / bench::median(s.us); };
  for (const auto& s : standings) std::printf("%s: %.0f Mop/s\n", s.name.c_str(), mops(s));
  std::printf("memcpy by all ranks at once: %.1f GB/s a rank before, %.1f after\n", rate_before, rate_after);
  if (file.empty()) return verified ? 0 : 1;
  std::vector<bench::json> records;
  for (const auto& [ours, peer] : pairs)
    records.push_back(bench::comparison_record("nas_mg", bench::text("class ", problem.name), comm.size(),
                                               standings[ours], standings[peer])
                          .add("ours_mops", mops(standings[ours]))
                          .add("peer_mops", mops(standings[peer]))
                          .add("memcpy_gb_s", std::min(rate_before, rate_after))
                          .add("correct", verified));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(file, records);
  return verified ? 0 : 1;
}

int run(bench::arguments& words) {
  const auto problem = find_class(words.text("--class", "S"));
  nas_mg::communication by;
  by.transport = find_transport(words.text("--transport", "auto"));
  by.by_hand = words.flag("--hand-written");
  by.overlapped = words.flag("--overlap");
  const bool compares = words.flag("--compare");
  const auto rounds = static_cast<int>(words.integer("--rounds", 5, 2, 1000));
  const auto file = words.text("--json");
  words.finish();
  const wherry::communicator comm(MPI_COMM_WORLD);
  return compares ? compare(comm, problem, by.transport, rounds, file) : solve_once(comm, problem, by, file);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
