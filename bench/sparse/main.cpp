// bench_sparse: compares sparse exchanges with the same written by hand with MPI. Each rank has some doubles, each with
// its destination; all ways return those that arrive, ordered by source. The elements are written anew between rounds,
// and every way writes them into a list by destination in each exchange, so that no reader finds old lines in its
// cache. Each line of output is a record.
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "sparse/by_hand.hpp"

namespace bench::sparse {
namespace {

struct options {
  std::vector<int> sizes{1, 30, 1000, 30'000, 1'000'000};
  std::vector<std::string> algorithms{"auto"};
  double seconds = 1;
  std::FILE* out = stdout;
};

/// The receivers of a rank: itself and its neighbours, or all.
enum class reach { neighbours, all };

struct problem {
  MPI_Comm comm;
  int rank = 0, size = 1;
  std::vector<int> to;
  values mine;

  problem(MPI_Comm on, reach how, int elements) : comm(on) {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    unsigned random = 12345u + static_cast<unsigned>(rank);
    for (int i = 0; i < elements; ++i) {
      random = random * 1664525u + 1013904223u;
      const auto drawn = static_cast<int>(random >> 16);
      to.push_back(how == reach::all ? drawn % size : (rank + drawn % 3 + size - 1) % size);
      mine.push_back(rank * 1e6 + i);
    }
  }

  /// Writes all elements anew, as a program does between two exchanges.
  void rewrite() {
    for (double& value : mine) value += 1;
  }
};

using way = std::function<values(const problem&)>;

/// The number of exchanges that are timed together.
int exchanges_of(int elements) { return elements <= 1000 ? 100 : elements <= 100'000 ? 10 : 1; }

std::vector<std::pair<std::string, way>> all_ways(const options& given, const problem& of) {
  std::vector<std::pair<std::string, way>> ways;
  for (const auto& name : given.algorithms)
    ways.emplace_back("wherry " + name, [name, how = wherry::sparse_options{.algorithm = name}](const problem& p) {
      return wherry::send_to(p.comm, p.to, p.mine, how).all;
    });
  ways.emplace_back("counts, messages", [](const problem& p) { return by_counts(p.comm, p.to, p.mine); });
  ways.emplace_back("MPI_Alltoallv", [](const problem& p) { return by_alltoallv(p.comm, p.to, p.mine); });
  ways.emplace_back("issend, ibarrier", [](const problem& p) { return by_consensus(p.comm, p.to, p.mine); });
  ways.emplace_back("counters by RMA", [](const problem& p) { return by_counters(p.comm, p.to, p.mine); });
  const auto expected = by_counts(of.comm, of.to, of.mine);
  for (const auto& [name, run] : ways)
    if (run(of) != expected) throw std::runtime_error(name + ": other elements");
  return ways;
}

void compare(const options& given, reach how, int elements) {
  problem one(MPI_COMM_WORLD, how, elements);
  const auto ways = all_ways(given, one);
  const int times = exchanges_of(elements);
  std::vector<contender> contenders;
  for (const auto& [name, run] : ways)
    contenders.push_back({.name = name,
                          .run =
                              [&, times] {
                                for (int i = 0; i < times; ++i) static_cast<void>(run(one));
                              },
                          .prepare = [&one] { one.rewrite(); }});
  auto all = contest(MPI_COMM_WORLD, contenders, given.seconds);
  if (given.out == nullptr) return;
  const auto what = std::to_string(elements) + " doubles a rank to " + (how == reach::all ? "all" : "neighbours");
  std::printf("%s\n", what.c_str());
  for (auto& by : all)
    for (double& us : by.us) us /= times;
  for (const auto& by : all) std::printf("  %-24s %12.2f us\n", by.name.c_str(), median(by.us));
  const auto ours = given.algorithms.size();
  for (std::size_t i = 0; i < ours; ++i)
    for (std::size_t peer = ours; peer < all.size(); ++peer) {
      const auto record = comparison_record("sparse", what, one.size, all[i], all[peer]);
      if (given.out != stdout) std::fprintf(given.out, "%s\n", record.text().c_str());
    }
}

int run(int argc, char** argv) {
  const wherry::mpi_session mpi(argc, argv);
  arguments words(argc, argv);
  options given;
  given.sizes = words.list("--sizes", given.sizes);
  given.algorithms = words.list("--algorithms", given.algorithms);
  given.seconds = words.number("--seconds", given.seconds, 0, 1e6);
  given.out = words.output(mpi.rank());
  words.finish();
  for (const auto how : {reach::neighbours, reach::all})
    for (const int elements : given.sizes) compare(given, how, elements);
  if (given.out != nullptr && given.out != stdout) std::fclose(given.out);
  return 0;
}

}  // namespace
}  // namespace bench::sparse

int main(int argc, char** argv) { return wherry::run_main(argc, argv, bench::sparse::run); }
