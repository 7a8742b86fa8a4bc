// Redblack3D of KeLP, section 3: red-black Gauss-Seidel for the Poisson equation in a cube, 7 points, on Wherry's
// blocks, beside the same program written by hand on MPI.
//
//   solver.cpp   the program: a floor plan, an x-array, a motion plan for the ghost cells, a mover (figures 4 and 5)
//   twin.cpp     the same by hand; one block a rank
//   kernel.cpp   the arithmetic of both
//   problem.cpp  the equation and its solution
//
// With the two colours, the result depends neither on the cut of the cells nor on the order in which blocks are
// relaxed. All versions must agree bit for bit, on any number of ranks, and every run checks this. `--verify` also
// shows that the solution found approaches the analytic one at second order.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

#include "harness/arguments.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "solver.hpp"
#include "twin.hpp"

namespace {

using namespace redblack3d;

constexpr const char* usage =
    "usage: redblack3d [--n N] [--sweeps S] [--copies C] [--blocks BX,BY,BZ] [--overlap] [--proxy]\n"
    "                  [--transport NAME] [--seconds T] [--verify] [--json FILE]\n"
    "Red-black Gauss-Seidel for the Poisson equation in a cube, on Wherry's movers and on hand-written MPI.\n"
    "  --n N              unknowns along each axis (default 128)\n"
    "  --sweeps S         sweeps a timed run (default 10)\n"
    "  --copies C         copies of each program's arrays, used in turn (default 4)\n"
    "  --blocks X,Y,Z     blocks along each axis; more than ranks: several a rank (default: one a rank, x not cut)\n"
    "  --overlap          also the versions that hide the motion behind the cells that need no ghost cell\n"
    "  --proxy            also with a proxy thread that carries the motion on meanwhile (implies --overlap)\n"
    "  --transport NAME   one of Wherry's transports (default auto; `./run info` lists them)\n"
    "  --seconds T        time for the comparison (default 5; 0: a few rounds)\n"
    "  --verify           instead: solve with n and 2 n to convergence, and show the order (n: default 16)\n"
    "  --json FILE        write the comparison to FILE\n";

struct options {
  problem what, twins;  ///< the hand-written program has one block a rank
  int sweeps = 10, copies = 4;
  bool overlap = false, proxy = false, verify = false;
  double seconds = 5;
  std::string transport, file;
};

std::array<int, 3> parse_blocks(const std::string& given, int ranks) {
  std::array<int, 3> blocks{1, 0, 0};
  if (given.empty()) {
    MPI_Dims_create(ranks, 2, blocks.data() + 1);
    std::swap(blocks[1], blocks[2]);  // the slowest axis is cut most, because its faces are contiguous
    return blocks;
  }
  if (std::sscanf(given.c_str(), "%d,%d,%d", &blocks[0], &blocks[1], &blocks[2]) != 3 ||
      *std::min_element(blocks.begin(), blocks.end()) < 1)
    throw bench::usage_error("--blocks is '" + given + "', expected three positive numbers as in 1,2,4");
  return blocks;
}

options parse(bench::arguments& words, int ranks) {
  options given;
  given.verify = words.flag("--verify");
  given.what.n = words.integer("--n", given.verify ? 16 : 128, 2, given.verify ? longest_row / 2 : longest_row);
  given.sweeps = static_cast<int>(words.integer("--sweeps", 10, 1, 100000));
  given.copies = static_cast<int>(words.integer("--copies", 4, 1, 100));
  given.what.blocks = parse_blocks(words.text("--blocks"), ranks);
  given.proxy = words.flag("--proxy");
  given.overlap = words.flag("--overlap") || given.proxy;
  given.transport = words.text("--transport", "auto");
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.file = words.text("--json");
  words.finish();
  given.twins = given.what;
  if (given.what.block_count() != ranks) given.twins.blocks = parse_blocks("", ranks);
  for (const auto& cut : {given.what.blocks, given.twins.blocks})
    if (*std::max_element(cut.begin(), cut.end()) > given.what.n)
      throw bench::usage_error(bench::text("--n is ", given.what.n, ", less than there are blocks along an axis"));
  return given;
}

/// The state of the whole cube.
state over_ranks(state mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine.error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &mine.fingerprint, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

// ----------------------------------------------------------------------------------------------------------- the order

/// The number of sweeps after which the rest of the first guess is far below the error of the discretisation: each
/// sweep shrinks it by cos²(πh).
int sweeps_to_converge(const problem& what) {
  const double kept = std::cos(std::acos(-1.0) * what.h());
  return static_cast<int>(std::log(1e-8) / (2 * std::log(kept)));
}

double converged_error(const wherry::communicator& comm, const options& given, problem what) {
  solver one(comm, what, {.carry = {.transport = given.transport}});
  const int sweeps = sweeps_to_converge(what);
  for (int i = 0; i < sweeps; ++i)
    if (given.overlap)
      one.sweep_overlapped();
    else
      one.sweep();
  const double error = over_ranks(one.look()).error;
  if (comm.rank() == 0)
    std::printf("n = %4ld: %6d sweeps, largest error %.4e, carried by %s\n", what.n, sweeps, error,
                one.transport().c_str());
  return error;
}

int verify(const wherry::communicator& comm, const options& given) {
  problem fine = given.what;
  fine.n *= 2;
  const double coarse_error = converged_error(comm, given, given.what), fine_error = converged_error(comm, given, fine);
  const double order = std::log(coarse_error / fine_error) / std::log(given.what.h() / fine.h());
  const bool verified = std::abs(order - 2) < 0.1;  // false for NaN
  if (comm.rank() == 0) std::printf("order %.3f: %s\n", order, verified ? "verified" : "NOT VERIFIED");
  return verified ? 0 : 1;
}

// ------------------------------------------------------------------------------------------------------ the comparison

/// Several copies of a program, which run in turn. The pages of memory that an array gets change the hits of the
/// caches, and with them the speed, by some per cent from one copy to the next, so that a comparison of one copy each
/// would depend on luck.
template <class Program> class copies {
 public:
  template <class... Arguments> explicit copies(int count, const Arguments&... arguments) {
    for (int i = 0; i < count; ++i) all_.push_back(std::make_unique<Program>(arguments...));
  }
  Program& next() { return *all_[turn_++ % all_.size()]; }
  Program& first() { return *all_.front(); }
  double communicating() const {
    double sum = 0;
    for (const auto& one : all_) sum += one->communicating();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Program>> all_;
  std::size_t turn_ = 0;
};

/// One way to sweep, and the functions that check its result.
struct version {
  std::string name;
  std::function<state(int sweeps)> try_out;  ///< starts from the first guess
  std::function<void(int sweeps)> run;
  std::function<double()> communicating;
};

template <class Program>
version version_of(const std::string& name, const std::shared_ptr<copies<Program>>& programs, bool overlapped) {
  const auto sweep = [overlapped](Program& one, int sweeps) {
    for (int i = 0; i < sweeps; ++i)
      if (overlapped)
        one.sweep_overlapped();
      else
        one.sweep();
  };
  return {name,
          [=](int sweeps) {
            auto& one = programs->first();
            one.reset();
            MPI_Barrier(MPI_COMM_WORLD);  // no first guess overwrites ghost cells that came early
            sweep(one, sweeps);
            return over_ranks(one.look());
          },
          [=](int sweeps) { sweep(programs->next(), sweeps); }, [=] { return programs->communicating(); }};
}

/// After the same sweeps all versions must have the same bits.
bool all_agree(const std::vector<version>& versions, int sweeps, bool talks) {
  bool agreed = true;
  state first;
  for (const auto& one : versions) {
    const auto found = one.try_out(sweeps);
    if (&one == &versions.front()) first = found;
    const bool same = found.fingerprint == first.fingerprint && std::isfinite(found.error);
    agreed = agreed && same;
    if (talks && !same)
      std::printf("after %d sweeps '%s' differs from '%s'\n", sweeps, one.name.c_str(), versions.front().name.c_str());
  }
  return agreed;
}

int compare(const wherry::communicator& comm, const options& given) {
  const bool talks = comm.rank() == 0;
  const wherry::mover_options how{.carry = {.transport = given.transport}};
  const auto ours = std::make_shared<copies<solver>>(given.copies, comm, given.what, how);
  const auto hand = std::make_shared<copies<twin>>(given.copies, MPI_COMM_WORLD, given.twins);
  std::vector<version> versions{version_of("Wherry", ours, false), version_of("MPI by hand", hand, false)};
  std::vector<bench::pairing> pairs{{0, 1}};
  if (given.overlap) {
    versions.push_back(version_of("Wherry, overlapped", ours, true));
    versions.push_back(version_of("MPI by hand, overlapped", hand, true));
    for (const auto& pair : {bench::pairing{2, 3}, {2, 0}, {3, 1}}) pairs.push_back(pair);
  }
  if (given.proxy) {
    const wherry::mover_options with_proxy{.carry = {.transport = given.transport, .progress_thread = true}};
    const auto proxied = std::make_shared<copies<solver>>(given.copies, comm, given.what, with_proxy);
    versions.push_back(version_of("Wherry, overlapped, proxy", proxied, true));
    for (const auto& pair : {bench::pairing{4, 0}, {4, 2}}) pairs.push_back(pair);
  }

  const auto& b = given.what.blocks;
  const auto& t = given.twins.blocks;
  if (talks)
    std::printf(
        "Redblack3D: %ld^3 unknowns, %d rank%s, %d x %d x %d blocks (by hand %d x %d x %d), %d sweeps a run, "
        "carried by %s, kernel %s\n",
        given.what.n, comm.size(), comm.size() == 1 ? "" : "s", b[0], b[1], b[2], t[0], t[1], t[2], given.sweeps,
        ours->first().transport().c_str(), kernels().name);
  const bool agreed = all_agree(versions, 5, talks);
  if (talks) std::printf("%s\n", agreed ? "all versions agree bit for bit" : "THE VERSIONS DISAGREE");

  std::vector<bench::contender> contenders;
  for (const auto& one : versions) contenders.push_back({one.name, [&] { one.run(given.sweeps); }, one.communicating});
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);
  if (!talks) return agreed ? 0 : 1;

  bench::print_standings(standings, pairs);
  const double updates = std::pow(static_cast<double>(given.what.n), 3) * given.sweeps;
  std::printf("%.0f million cells a second (Wherry), %.0f (by hand)\n", updates / bench::median(standings[0].us),
              updates / bench::median(standings[1].us));
  std::printf("lines for communication: %d (Wherry), %d (by hand)\n", LINES_OURS, LINES_BY_HAND);
  if (given.file.empty()) return agreed ? 0 : 1;
  std::vector<bench::json> records;
  const auto what = bench::text("redblack3d ", given.what.n, "^3, blocks ", b[0], "x", b[1], "x", b[2]);
  for (const auto& [one, other] : pairs)
    records.push_back(bench::comparison_record("redblack3d", what, comm.size(), standings[one], standings[other])
                          .add("correct", agreed)
                          .add("lines", LINES_OURS)
                          .add("peer_lines", LINES_BY_HAND));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.file, records);
  return agreed ? 0 : 1;
}

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto given = parse(words, comm.size());
  return given.verify ? verify(comm, given) : compare(comm, given);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
