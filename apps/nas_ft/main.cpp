// NAS FT: the diffusion equation in a periodic box by three-dimensional Fourier transforms, on Wherry's x-arrays and
// movers, beside the same program with MPI_Alltoallv written by hand.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

#include "hand_written.hpp"
#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/copy_rate.hpp"
#include "harness/json.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "with_blocks.hpp"

namespace {

using namespace nas_ft;

constexpr const char* usage =
    "usage: nas_ft [--class S|W|A|B|C] [--chunks K] [--pencils] [--transport NAME] [--measure] [--rounds R] [--only "
    "M]\n"
    "              [--explain] [--json FILE]\n"
    "Solves the NAS FT problem and compares its checksums with the official ones.\n"
    "  --class C         grid and iterations: S 64^3, 6; W 128x128x32, 6; A 256x256x128, 6; B 512x256x256, 20;\n"
    "                    C 512^3, 20 (default S)\n"
    "  --chunks K        blocks a rank of the overlapped version (default 8)\n"
    "  --pencils         cut two dimensions although there are planes enough for all ranks\n"
    "  --transport NAME  one of Wherry's transports (default auto; `./run info` lists them)\n"
    "  --measure         let FFTW measure its plans: longer to start, faster on a quiet machine\n"
    "  --rounds R        times that each version is timed (default 3, at least 2); medians are shown\n"
    "  --only M          one version only: blocks, overlapped or hand-written\n"
    "  --explain         say what is moved, and how\n"
    "  --json FILE       write the results to FILE\n";

const problem& find_class(const std::string& name) {
  for (const auto& row : problems())
    if (row.name == name) return row;
  throw bench::usage_error("--class is '" + name + "', expected S, W, A, B or C");
}

struct options {
  problem what;
  int chunks = 8, rounds = 3;
  bool pencils = false, explain = false;
  transposing_options how;
  std::string only, file;
};

options parse(bench::arguments& words) {
  options given;
  given.what = find_class(words.text("--class", "S"));
  given.chunks = static_cast<int>(words.integer("--chunks", given.chunks, 2, 64));
  given.rounds = static_cast<int>(words.integer("--rounds", given.rounds, 2, 1000));
  given.pencils = words.flag("--pencils");
  given.explain = words.flag("--explain");
  if (words.flag("--measure")) given.how.effort = planning::measure;
  given.only = words.text("--only");
  if (!given.only.empty() && given.only != "blocks" && given.only != "overlapped" && given.only != "hand-written")
    throw bench::usage_error("--only is '" + given.only + "', expected blocks, overlapped or hand-written");
  given.file = words.text("--json");
  given.how.transport = words.text("--transport", "auto");
  try {
    if (given.how.transport != "auto") wherry::transports::find_transport(given.how.transport);
  } catch (const wherry::error& failure) {
    throw bench::usage_error(failure.text());
  }
  words.finish();
  return given;
}

/// One way to solve the problem, and the results of its runs.
struct version {
  std::string name, carried_by;
  std::function<std::vector<complex>()> run;  ///< returns the checksums
  std::function<double()> communicating;
  std::vector<complex> checksums{};  ///< of the last run
  double worst = 0;                  ///< relative error of any checksum of any run

  bool verified() const { return worst <= tolerance; }
};

/// Everything that NPB times: the initial field, its transform, and all iterations.
template <class Solver> std::vector<complex> solve(Solver& solver, const problem& what) {
  std::vector<complex> checksums;
  solver.fill();
  solver.forward();
  for (int t = 1; t <= what.iterations(); ++t) {
    solver.evolve(t);
    complex sum = solver.checksum();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    checksums.push_back(sum);
  }
  return checksums;
}

template <class Solver>
version make_version(std::string name, std::string carried_by, const std::shared_ptr<Solver>& solver,
                     const problem& what) {
  return {std::move(name), std::move(carried_by), [=] { return solve(*solver, what); },
          [=] { return solver->communicating(); }};
}

constexpr const char* by_hand = "MPI by hand";

std::vector<version> make_versions(const wherry::communicator& comm, const options& given, const rank_grid& grid) {
  std::vector<version> list;
  const auto wanted = [&](const char* name) { return given.only.empty() || given.only == name; };
  const auto add_blocks = [&](std::string name, int chunks) {
    const auto solver = std::make_shared<with_blocks>(comm, given.what, grid, chunks, given.how);
    if (given.explain && comm.rank() == 0) std::printf("%s", solver->explain().c_str());
    list.push_back(make_version(std::move(name), solver->transport(), solver, given.what));
  };
  if (wanted("blocks")) add_blocks("Wherry", 1);
  if (wanted("overlapped")) add_blocks(bench::text("Wherry, overlapped in ", given.chunks), given.chunks);
  if (wanted("hand-written") && grid.slabs())
    list.push_back(make_version(by_hand, "MPI_Alltoallv",
                                std::make_shared<hand_written>(MPI_COMM_WORLD, given.what, given.how.effort),
                                given.what));
  return list;
}

std::vector<bench::standing> time_all(std::vector<version>& versions, const options& given) {
  std::vector<bench::contender> contenders;
  for (auto& one : versions)
    contenders.push_back({one.name,
                          [&] {
                            one.checksums = one.run();
                            one.worst = std::max(one.worst, worst_error(given.what, one.checksums));
                          },
                          one.communicating});
  return bench::contest(MPI_COMM_WORLD, contenders, 0, given.rounds);
}

/// Compares every version with the hand-written one, and the overlapped version with the plain one.
std::vector<bench::pairing> pairs_of(const std::vector<version>& versions) {
  std::vector<bench::pairing> pairs;
  const std::size_t last = versions.size() - 1;
  if (versions.back().name == by_hand)
    for (std::size_t i = 0; i < last; ++i) pairs.push_back({i, last});
  if (versions.size() > 1 && versions[1].name != by_hand) pairs.push_back({1, 0});
  return pairs;
}

int run(bench::arguments& words) {
  const auto given = parse(words);
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto& what = given.what;
  const auto grid = choose_grid(what, comm.size(), given.pencils);
  auto versions = make_versions(comm, given, grid);
  if (versions.empty()) throw bench::usage_error("there are no pencils in the hand-written version");

  const double rate_before = bench::copy_rate(MPI_COMM_WORLD);
  const auto standings = time_all(versions, given);
  const double rate_after = bench::copy_rate(MPI_COMM_WORLD);
  const bool verified = std::all_of(versions.begin(), versions.end(), [](const version& v) { return v.verified(); });
  if (comm.rank() != 0) return verified ? 0 : 1;

  std::printf("NAS FT class %s: %ld x %ld x %ld points, %d iterations, %d rank%s (%s), carried by %s\n",
              std::string(what.name).c_str(), static_cast<long>(what.cells[0]), static_cast<long>(what.cells[1]),
              static_cast<long>(what.cells[2]), what.iterations(), comm.size(), comm.size() == 1 ? "" : "s",
              grid.slabs() ? "slabs" : bench::text(grid.first, " x ", grid.second, " pencils").c_str(),
              versions.front().carried_by.c_str());
  for (std::size_t i = 0; i < versions.front().checksums.size(); ++i)
    std::printf("  T = %2zu  checksum %.10f %.10f\n", i + 1, versions.front().checksums[i].real(),
                versions.front().checksums[i].imag());
  for (const auto& v : versions)
    std::printf("%s: checksums of all runs within %.1e of the official ones: %s\n", v.name.c_str(), v.worst,
                v.verified() ? "verified" : "NOT VERIFIED");
  bench::print_standings(standings, pairs_of(versions));
  const auto mops = [&](const bench::standing& s) { return 1e6 * what.mega_operations() / bench::median(s.us); };
  for (const auto& s : standings) std::printf("%s: %.0f Mop/s\n", s.name.c_str(), mops(s));
  std::printf("memcpy by all ranks at once: %.1f GB/s a rank before, %.1f after\n", rate_before, rate_after);
  std::printf("lines for communication: %d (Wherry), %d (by hand)\n", LINES_OURS, LINES_BY_HAND);

  if (given.file.empty()) return verified ? 0 : 1;
  std::vector<bench::json> records;
  for (const auto& [ours, peer] : pairs_of(versions))
    records.push_back(bench::comparison_record("nas_ft", bench::text("class ", what.name), comm.size(), standings[ours],
                                               standings[peer])
                          .add("transport", versions[ours].carried_by)
                          .add("ours_mops", mops(standings[ours]))
                          .add("peer_mops", mops(standings[peer]))
                          .add("memcpy_gb_s", std::min(rate_before, rate_after))
                          .add("correct", verified)
                          .add("lines", LINES_OURS)
                          .add("peer_lines", LINES_BY_HAND));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.file, records);
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
