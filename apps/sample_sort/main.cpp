// A distributed sort, the program on KaMPIng's front page, with Wherry's collectives, with MPI's, and with Boost.MPI's
// if that is installed. Every rank also makes all ranks' numbers and sorts them itself, to check its part.
//
//   with_wherry.cpp, with_mpi.cpp, with_boost_mpi.cpp   the three ways
//   sorting.cpp                                         their common part
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/arguments.hpp"
#include "harness/contest.hpp"
#include "harness/machine.hpp"
#include "harness/text.hpp"
#include "sorting.hpp"

namespace {

using namespace sample_sort;

constexpr const char* usage =
    "usage: sample_sort [--elements N] [--numbers KIND] [--method M] [--compare] ...\n"
    "Sorts numbers that are spread over the ranks.\n"
    "  --elements N    of each rank (default 10000)\n"
    "  --numbers KIND  any, few, equal, sorted, or first: the first rank has all of them (default any)\n"
    "  --seed N        of the numbers (default 1)\n"
    "  --method M      wherry, mpi, boost (default wherry)\n"
    "  --compare       time all methods beside each other\n"
    "  --seconds T     time for the comparison (default 5; 0: a few rounds)\n"
    "  --json FILE     write the results to FILE\n";

struct method {
  std::string name, text;
  void (*sort)(MPI_Comm, std::vector<element>&);
  int lines;
};

std::vector<method> methods() {
  std::vector<method> all{{"wherry", "Wherry", sort_with_wherry, LINES_WHERRY},
                          {"mpi", "MPI", sort_with_mpi, LINES_MPI}};
  if (has_boost_mpi) all.push_back({"boost", "Boost.MPI", sort_with_boost_mpi, LINES_BOOST_MPI});
  return all;
}

enum class numbers { any, few, equal, sorted, first };
struct named_numbers {
  std::string name;
  numbers kind;
};
const std::vector<named_numbers> kinds{{"any", numbers::any},
                                       {"few", numbers::few},
                                       {"equal", numbers::equal},
                                       {"sorted", numbers::sorted},
                                       {"first", numbers::first}};

struct options {
  std::int64_t elements = 10000;
  numbers kind = numbers::any;
  std::uint64_t seed = 1;
  method how;
  bool compares = false;
  double seconds = 5;
  std::string json;
};

options parse(bench::arguments& words) {
  options given;
  const auto all = methods();
  given.elements = words.integer("--elements", 10000, 0, 100'000'000);
  given.kind = words.one_of(kinds, "--numbers", "any").kind;
  given.seed = static_cast<std::uint64_t>(words.integer("--seed", 1, 0, 1'000'000'000));
  given.how = words.one_of(all, "--method", "wherry");
  given.compares = words.flag("--compare");
  given.seconds = words.number("--seconds", 5, 0, 3600);
  given.json = words.text("--json");
  words.finish();
  return given;
}

/// A pseudo-random number (Steele, Lea, Flood: SplitMix64, 2014).
element mixed(element x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::vector<element> numbers_of(const options& given, int rank, int ranks) {
  const auto each = static_cast<element>(given.elements);
  const element count = given.kind != numbers::first ? each : rank == 0 ? each * static_cast<element>(ranks) : 0;
  std::vector<element> made(count);
  for (element i = 0; i < count; ++i) {
    const auto place = static_cast<element>(rank) * each + i;
    const auto random = mixed(mixed(given.seed) + place);
    made[i] = given.kind == numbers::equal    ? 7
              : given.kind == numbers::sorted ? place
              : given.kind == numbers::few    ? random % 3
                                              : random;
  }
  return made;
}

/// Collective. True if the ranks' parts, one after the other, are all numbers in ascending order.
bool is_right(MPI_Comm comm, const options& given, const std::vector<element>& part, int rank, int ranks) {
  std::vector<element> all;
  for (int r = 0; r < ranks; ++r) {
    const auto made = numbers_of(given, r, ranks);
    all.insert(all.end(), made.begin(), made.end());
  }
  std::sort(all.begin(), all.end());
  const auto count = static_cast<long long>(part.size());
  long long before = 0, whole = 0;
  MPI_Exscan(&count, &before, 1, MPI_LONG_LONG, MPI_SUM, comm);
  MPI_Allreduce(&count, &whole, 1, MPI_LONG_LONG, MPI_SUM, comm);
  if (rank == 0) before = 0;
  const bool fits = whole == static_cast<long long>(all.size()) && before + count <= whole;
  int mine = fits && std::equal(part.begin(), part.end(), all.begin() + before) ? 1 : 0, everybodys = 0;
  MPI_Allreduce(&mine, &everybodys, 1, MPI_INT, MPI_MIN, comm);
  return everybodys != 0;
}

/// Collective. Times all methods. False if one of them has sorted wrongly.
bool compare(MPI_Comm comm, const options& given, int rank, int ranks) {
  const auto all = methods();
  const auto unsorted = numbers_of(given, rank, ranks);
  std::vector<std::vector<element>> sorted(all.size());
  std::vector<bench::contender> contenders;
  for (std::size_t i = 0; i < all.size(); ++i)
    contenders.push_back({.name = all[i].text,
                          .run = [&, i] { all[i].sort(comm, sorted[i]); },
                          .prepare = [&, i] { sorted[i] = unsorted; }});
  const auto standings = bench::contest(comm, contenders, given.seconds);
  bool right = true;
  for (const auto& part : sorted) right = is_right(comm, given, part, rank, ranks) && right;
  if (rank != 0) return right;
  std::vector<bench::pairing> pairs;
  for (std::size_t i = 1; i < all.size(); ++i) pairs.push_back({0, i});
  bench::print_standings(standings, pairs);
  std::printf("lines:");
  for (const auto& one : all) std::printf(" %d (%s)", one.lines, one.text.c_str());
  std::printf("\n%s\n", right ? "every method sorted all numbers" : "A METHOD SORTED WRONGLY");
  if (given.json.empty()) return right;
  std::vector<bench::json> records;
  const auto what = bench::text("sample sort, ", given.elements, " elements a rank");
  for (const auto& [ours, peer] : pairs)
    records.push_back(bench::comparison_record("sample_sort", what, ranks, standings[ours], standings[peer])
                          .add("correct", right)
                          .add("lines", all[ours].lines)
                          .add("peer_lines", all[peer].lines));
  records.push_back(bench::machine_record().add("bench", "machine"));
  bench::write_json(given.json, records);
  return right;
}

bool sort_once(MPI_Comm comm, const options& given, int rank, int ranks) {
  auto part = numbers_of(given, rank, ranks);
  MPI_Barrier(comm);
  const double began = MPI_Wtime();
  given.how.sort(comm, part);
  double seconds = MPI_Wtime() - began, slowest = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
  const bool right = is_right(comm, given, part, rank, ranks);
  if (rank == 0)
    std::printf("sample sort: %lld elements a rank, %d rank%s, %s: %.3f ms, %s\n",
                static_cast<long long>(given.elements), ranks, ranks == 1 ? "" : "s", given.how.text.c_str(),
                1e3 * slowest, right ? "sorted" : "WRONG");
  return right;
}

int run(bench::arguments& words) {
  const auto given = parse(words);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool right =
      given.compares ? compare(MPI_COMM_WORLD, given, rank, ranks) : sort_once(MPI_COMM_WORLD, given, rank, ranks);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
