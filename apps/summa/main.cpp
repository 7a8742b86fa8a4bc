// SUMMA of KeLP, section 3: C = A B on a grid of ranks, beside the same program written by hand on MPI.
//
//   solver.cpp   the program, without and with look-ahead: the next panel moves while one is multiplied
//   operand.cpp  A or B: floor plans of blocks and of panels, and for each panel a motion plan (one source section,
//                several destinations) and a mover
//   binomial_tree.cpp   a mover of our own, without copying Wherry's: it hands a panel on from rank to rank
//   twin.cpp     the same by hand: communicators of rows and columns, MPI_Bcast, with look-ahead MPI_Ibcast
//   gemm.cpp     the arithmetic of both: dgemm of OpenBLAS, one thread a rank
//   problem.cpp  the matrices, their cut, and the check of the product
//
// Every version's product is checked in every run, against a serial product or, when that would take too long, by
// vectors without pattern.
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>

#include "harness/arguments.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "harness/waiting.hpp"
#include "solver.hpp"
#include "twin.hpp"

namespace {

using namespace summa;

constexpr const char* usage =
    "usage: summa [--n N] [--panel W] [--grid RxC] [--overlap] [--proxy] [--tree] [--transport NAME]\n"
    "             [--seconds T] [--json FILE]\n"
    "Multiplies two N x N matrices on a grid of ranks, on Wherry's movers and on hand-written MPI.\n"
    "  --n N              rows and columns (default 1024)\n"
    "  --panel W          most columns of A that are moved and multiplied at a time (default 256)\n"
    "  --grid RxC         rows and columns of ranks (default: as square as it can be)\n"
    "  --overlap          also the versions that move the next panel while one is multiplied\n"
    "  --proxy            also with a proxy thread that carries it on meanwhile (implies --overlap)\n"
    "  --tree             also with panels broadcast by a binomial tree instead of by their owners alone\n"
    "  --transport NAME   one of Wherry's transports (default auto; `./run info` lists them)\n"
    "  --seconds T        time for the comparison (default 5; 0: a few rounds)\n"
    "  --json FILE        write the comparison to FILE\n";

struct options {
  problem what;
  bool overlap = false, proxy = false, tree = false;
  double seconds = 5;
  std::string transport, file;
};

options parse(bench::arguments& words, int ranks) {
  options given;
  given.what.n = words.integer("--n", 1024, 1, 40000);
  given.what.width = words.integer("--panel", 256, 1, 40000);
  int grid[2] = {0, 0};
  const auto shape = words.text("--grid");
  if (shape.empty())
    MPI_Dims_create(ranks, 2, grid);
  else if (std::sscanf(shape.c_str(), "%dx%d", &grid[0], &grid[1]) != 2 || grid[0] < 1 || grid[1] < 1 ||
           grid[0] * grid[1] != ranks)
    throw bench::usage_error(bench::text("--grid is '", shape, "', expected RxC with R x C = ", ranks));
  given.what.rows = grid[0];
  given.what.columns = grid[1];
  given.proxy = words.flag("--proxy");
  given.tree = words.flag("--tree");
  given.overlap = words.flag("--overlap") || given.proxy;
  given.transport = words.text("--transport", "auto");
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.file = words.text("--json");
  words.finish();
  return given;
}

/// One way to multiply, and the check of its result.
struct version {
  std::string name;
  std::function<void()> multiply, spoil;
  std::function<double()> check, communicating;
};

template <class Program>
version version_of(const std::string& name, const std::shared_ptr<Program>& one, bool ahead = false) {
  return {name,
          [one, ahead] {
            if (ahead)
              one->multiply_ahead();
            else
              one->multiply();
          },
          [one] { one->spoil(); }, [one] { return one->check(); }, [one] { return one->communicating(); }};
}

bool all_right(const std::vector<version>& versions, bool talks) {
  bool right = true;
  for (const auto& one : versions) {
    one.spoil();
    one.multiply();
    const double error = one.check();
    right = right && error <= 1;
    if (talks) std::printf("  check %-24s error %.3f of what rounding may cost\n", one.name.c_str(), error);
  }
  if (talks) std::printf("%s\n", right ? "all products are right" : "A PRODUCT IS WRONG");
  return right;
}

/// A limit that no program can beat: each rank multiplies blocks of its own, as large as those that it has to multiply.
version arithmetic_alone(const problem& p, int rank) {
  const int i = rank / p.columns, j = rank % p.columns;
  const long rows = p.cut_rows(i + 1) - p.cut_rows(i), columns = p.cut_columns(j + 1) - p.cut_columns(j);
  struct memory {
    std::vector<double> a, b, c;
  };
  const auto own = std::make_shared<memory>();
  own->a.assign(static_cast<std::size_t>(rows * p.n), 0.5);
  own->b.assign(static_cast<std::size_t>(p.n * columns), 0.5);
  own->c.assign(static_cast<std::size_t>(rows * columns), 0.0);
  return {"dgemm alone",
          [own, rows, columns, n = p.n] {
            const long stride = std::max(1L, rows);
            multiply({own->c.data(), rows, columns, stride}, {own->a.data(), rows, n, stride},
                     {own->b.data(), n, columns, n}, false);
          },
          [] {}, [] { return 0.0; }, [] { return 0.0; }};
}

int run(bench::arguments& words) {
  const wherry::communicator comm(MPI_COMM_WORLD);
  const auto given = parse(words, comm.size());
  const bool talks = comm.rank() == 0;
  const auto& p = given.what;

  const double began = MPI_Wtime();
  const auto ours = std::make_shared<solver>(comm, p, given.transport);
  const double built = MPI_Wtime() - began;
  const auto hand = std::make_shared<twin>(MPI_COMM_WORLD, p);
  std::vector<version> versions{version_of("Wherry", ours), version_of("MPI by hand", hand)};
  std::vector<bench::pairing> pairs{{0, 1}};
  if (given.overlap) {
    versions.push_back(version_of("Wherry, look-ahead", ours, true));
    versions.push_back(version_of("MPI by hand, look-ahead", hand, true));
    for (const auto& pair : {bench::pairing{2, 3}, {2, 0}, {3, 1}}) pairs.push_back(pair);
  }
  if (given.proxy) {
    const auto proxied = std::make_shared<solver>(comm, p, given.transport, true);
    versions.push_back(version_of("Wherry, look-ahead, proxy", proxied, true));
    for (const auto& pair : {bench::pairing{4, 0}, {4, 2}}) pairs.push_back(pair);
  }
  if (given.tree) {
    const auto by_tree = std::make_shared<solver>(comm, p, given.transport, false, broadcast_by::tree);
    versions.push_back(version_of("Wherry, by a tree", by_tree));
    pairs.push_back({versions.size() - 1, 0});
  }
  if (talks)
    std::printf(
        "SUMMA: %ld x %ld matrices, %d rank%s (%d x %d), %zu panels of %ld at most, carried by %s\n"
        "matrices, plans and movers made in %.1f ms\n",
        p.n, p.n, comm.size(), comm.size() == 1 ? "" : "s", p.rows, p.columns, p.panels().size(), p.width,
        ours->transport().c_str(), 1e3 * built);
  const bool right = all_right(versions, talks);
  // With more ranks than cores, the ranks would not all multiply at the same time, as they do between two waits.
  const bool a_core_each = !bench::exceed_cores(comm.size());
  if (a_core_each) {
    versions.push_back(arithmetic_alone(p, comm.rank()));
    pairs.push_back({0, versions.size() - 1});
  }

  std::vector<bench::contender> contenders;
  for (const auto& one : versions) contenders.push_back({one.name, one.multiply, one.communicating});
  const auto standings = bench::contest(MPI_COMM_WORLD, contenders, given.seconds);
  if (!talks) return right ? 0 : 1;

  bench::print_standings(standings, pairs);
  const double operations = 2 * std::pow(static_cast<double>(p.n), 3);
  const auto gflops = [&](const bench::standing& one) { return 1e-3 * operations / bench::median(one.us); };
  std::printf("Gflop/s: %.1f (Wherry), %.1f (by hand)", gflops(standings[0]), gflops(standings[1]));
  if (a_core_each) std::printf(", %.1f (dgemm alone)", gflops(standings.back()));
  std::printf("\n");
  std::printf("lines for communication: %d (Wherry), %d (by hand)\n", LINES_OURS, LINES_BY_HAND);
  if (given.file.empty()) return right ? 0 : 1;
  std::vector<bench::json> records;
  const auto what = bench::text("summa ", p.n, "^2, panels of ", p.width, ", grid ", p.rows, "x", p.columns);
  for (const auto& [one, other] : pairs)
    records.push_back(bench::comparison_record("summa", what, comm.size(), standings[one], standings[other])
                          .add("correct", right)
                          .add("lines", LINES_OURS)
                          .add("peer_lines", LINES_BY_HAND));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.file, records);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
