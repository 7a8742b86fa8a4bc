// wherry_tune: measures, on the ranks that it is started with, which implementation of each collective is best at which
// size, and writes a file for WHERRY_COLL_TUNING. An implementation replaces MPI's own only if it is faster beyond the
// noise, twice.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "choices.hpp"
#include "circumstances.hpp"
#include "common/text_file.hpp"
#include "harness/arguments.hpp"
#include "harness/collective_race.hpp"
#include "harness/listed_blocks.hpp"
#include "harness/machine.hpp"
#include "harness/neighbors.hpp"
#include "harness/ratios.hpp"
#include "harness/text.hpp"
#include "plot.hpp"

namespace {

using bench::standing;
using wherry::collective::kind;
using wherry::collective::tuned_rule;

constexpr const char* usage =
    "usage: mpirun -n RANKS wherry_tune [--file tuning.txt] [--collectives bcast,allreduce,…] [--sizes 8,512,…]\n"
    "                   [--seconds S of each collective and size]\n"
    "Writes which implementation of each collective is best here, for this number of ranks and nodes, and draws that\n"
    "in tuning.txt.svg. Sizes are those of a block, or of the vector. Collectives whose ranks do not know each "
    "other's\n"
    "sizes get one for all: gatherv, scatterv, alltoallv, alltoallw, measured with even and uneven counts, and those "
    "of\n"
    "neighbours, measured in a ring, a grid and a graph. Then\n"
    "  WHERRY_COLL_TUNING=tuning.txt mpirun -n RANKS program\n";

bool beats(const standing& one, const standing& mpi) {
  return wherry::collective::detail::is_clearly_faster(one.us, mpi.us);
}

/// Returns at most `most` implementations that are worth a closer look, because most of them are hopeless.
std::vector<std::string> promising(std::vector<standing> all, std::size_t most) {
  const double of_mpi = bench::median(tuning::of(all, "MPI").us);
  const auto hopeless = [&](const standing& one) {
    return !tuning::is_a_choice(one.name) || bench::median(one.us) > of_mpi;
  };
  all.erase(std::remove_if(all.begin(), all.end(), hopeless), all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return bench::median(a.us) < bench::median(b.us); });
  std::vector<std::string> names;
  for (const auto& one : all)
    if (names.size() < most) names.push_back(one.name);
  return names;
}

/// Returns the best of the implementations that beat MPI's own, if it does so again. The result is the same on all
/// ranks, because all have the same figures.
std::string best_of(kind what, std::size_t bytes, double seconds, double& ratio) {
  const auto race = [&](const std::vector<std::string>& names) {
    return bench::collective::race(what, MPI_COMM_WORLD, bytes, names, seconds);
  };
  ratio = 1;
  const auto names = promising(race({}), 3);
  if (names.empty()) return "mpi";
  const auto all = race(names);
  const auto& mpi = tuning::of(all, "MPI");
  const standing* best = nullptr;
  for (const auto& one : all)
    if (tuning::is_a_choice(one.name) && beats(one, mpi) &&
        (best == nullptr || bench::median(one.us) < bench::median(best->us)))
      best = &one;
  if (best == nullptr) return "mpi";
  const auto again = race({best->name});
  if (!beats(tuning::of(again, best->name), tuning::of(again, "MPI"))) return "mpi";
  ratio = bench::median(tuning::of(again, best->name).us) / bench::median(tuning::of(again, "MPI").us);
  return best->name;
}

void say(bool says, kind what, const tuning::finding& found) {
  if (!says) return;
  std::printf("%-22s %9d bytes: %-20s %.2g of MPI's time\n", std::string(name_of(what)).c_str(), found.bytes,
              found.implementation.c_str(), found.ratio);
  std::fflush(stdout);
}

/// Converts sizes to bytes as choices count them: if blocks differ in length, all of them together.
std::vector<std::int64_t> as_chosen_by(kind what, const std::vector<int>& sizes) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::int64_t> all(sizes.begin(), sizes.end());
  if (bench::collective::all_know_lengths(what))
    for (auto& bytes : all) bytes *= ranks;
  return all;
}

/// The size from which on a measured size counts: the geometric mean with the size before it.
std::int64_t from_size(const std::vector<std::int64_t>& sizes, std::size_t place) {
  if (place == 0) return 0;
  std::int64_t from = sizes[place - 1] + 1;
  while (from * from < sizes[place - 1] * sizes[place]) from += std::max<std::int64_t>(1, from / 16);
  return from;
}

std::string best_at(kind what, int bytes, double seconds, std::vector<tuning::finding>& found) {
  if (bench::collective::has_lists(what)) return tuning::best_in_all_circumstances(what, {bytes}, seconds, found);
  double ratio = 1;
  const auto best = best_of(what, static_cast<std::size_t>(bytes), seconds, ratio);
  found.push_back({what, bytes, best, ratio});
  return best;
}

std::vector<tuned_rule> tune_by_size(kind what, const std::vector<int>& sizes, double seconds, bool says,
                                     std::vector<tuning::finding>& found) {
  std::vector<tuned_rule> rules;
  const auto in_file = as_chosen_by(what, sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto best = best_at(what, sizes[i], seconds, found);
    say(says, what, found.back());
    if (rules.empty() || rules.back().implementation != best) rules.push_back({what, from_size(in_file, i), best});
    if (what == kind::barrier) break;
  }
  return rules;
}

tuned_rule tune_all_sizes(kind what, const std::vector<int>& sizes, double seconds, bool says,
                          std::vector<tuning::finding>& found) {
  const auto before = found.size();
  const auto best = tuning::best_in_all_circumstances(what, sizes, seconds, found);
  for (auto i = before; i < found.size(); ++i) say(says, what, found[i]);
  return {what, 0, best};
}

/// True if all ranks know the size of the call; otherwise a choice cannot depend on it.
bool all_know_the_size(kind what) {
  if (bench::collective::is_timed_among_neighbors(what)) return false;
  return !bench::collective::has_lists(what) || bench::collective::all_know_lengths(what);
}

std::vector<tuned_rule> tune(kind what, const std::vector<int>& sizes, double seconds, bool says,
                             std::vector<tuning::finding>& found) {
  if (all_know_the_size(what)) return tune_by_size(what, sizes, seconds, says, found);
  return {tune_all_sizes(what, sizes, seconds, says, found)};
}

int nodes_of(const wherry::communicator& comm) {
  int first = comm.node_ranks().front() == comm.rank() ? 1 : 0, nodes = 0;
  MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return nodes;
}

void write(const std::string& file, const std::string& text) {
  if (!apps::write_text(file, text))
    throw wherry::error(wherry::error_kind::resource, "wherry_tune", "cannot write '" + file + "'", 0);
}

int run(bench::arguments& words) {
  std::vector<std::string> collectives;
  for (const auto what : bench::collective::kinds_there_are(true)) collectives.emplace_back(name_of(what));
  const auto kinds = bench::collective::timed_kinds(words.list("--collectives", collectives), true);
  const auto sizes = bench::collective::checked_sizes(
      words.list("--sizes", std::vector<int>{8, 128, 1024, 8192, 32768, 131072, 524288, 2097152}));
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto file = words.writable("--file", "wherry_tuning.txt", rank);
  const double seconds = words.number("--seconds", 0.15, 0, 1e4);
  words.finish();
  const wherry::communicator comm(MPI_COMM_WORLD);
  std::vector<tuned_rule> rules;
  std::vector<tuning::finding> found;
  for (const auto what : kinds) {
    const auto more = tune(what, sizes, seconds, comm.rank() == 0, found);
    rules.insert(rules.end(), more.begin(), more.end());
  }
  const int nodes = nodes_of(comm);
  if (comm.rank() != 0) return 0;
  const auto all = wherry::collective::with_tuning(apps::text_of(file), rules, comm.size(), nodes,
                                                   bench::processor() + ", " + wherry::mpi_library_version());
  write(file, all);
  write(file + ".svg", picture_of(found, bench::text("Collectives on ", comm.size(), " ranks, ", nodes,
                                                     nodes == 1 ? " node, " : " nodes, ", bench::processor())));
  std::printf("%s: use it by WHERRY_COLL_TUNING=%s; %s.svg shows it\n", file.c_str(), file.c_str(), file.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return bench::run_app(argc, argv, usage, run); }
