#include "harness/contest.hpp"

#include <algorithm>
#include <cstdio>

#include "wherry/wherry.hpp"

#include "harness/shuffled.hpp"

namespace bench {
namespace {

/// Runs one contender once and keeps what it took. The seconds of the slowest rank.
double take_sample(MPI_Comm comm, const contender& one, standing& kept) {
  const auto communicating = [&] { return one.communicating ? one.communicating() : 0.0; };
  if (one.prepare) one.prepare();
  const double before = communicating();
  MPI_Barrier(comm);
  const double began = MPI_Wtime();
  one.run();
  double slowest = MPI_Wtime() - began;
  double share = slowest > 0 ? (communicating() - before) / slowest : 0;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_SUM, comm);
  kept.us.push_back(1e6 * slowest);
  kept.waiting.push_back(share / ranks);
  return slowest;
}

}  // namespace

std::vector<standing> contest(MPI_Comm comm, const std::vector<contender>& contenders, double seconds, int fewest) {
  std::vector<standing> result;
  for (const auto& one : contenders) {  // untimed: all memory is there and all code has run
    standing warm;
    take_sample(comm, one, warm);
    result.push_back({one.name, {}, {}});
  }
  double elapsed = 0;  // a sum of what all ranks know, so that all of them stop together
  shuffled order(contenders.size());
  for (int round = 0; round < std::max(2, fewest) || elapsed < seconds; ++round)
    for (const auto which : order.next_round()) elapsed += take_sample(comm, contenders[which], result[which]);
  return result;
}

void print_standings(const std::vector<standing>& all, const std::vector<pairing>& pairs) {
  const bool told = std::any_of(all.begin(), all.end(), [](const auto& one) { return median(one.waiting) > 0; });
  std::printf("\n%-34s %12s%s\n", "", "ms, median", told ? "   waiting" : "");
  for (const auto& one : all) {
    std::printf("%-34s %12.3f", one.name.c_str(), 1e-3 * median(one.us));
    if (told) std::printf(" %8.1f%%", 100 * median(one.waiting));
    std::printf("\n");
  }
  std::printf("%zu rounds, the slowest rank's time%s\n\n", all[0].us.size(),
              told ? "; waiting: the share of it in start and wait" : "");
  for (const auto& [ours, peer] : pairs) {
    const auto found = compare(all[ours].us, all[peer].us);
    std::printf("%s / %s: %.3f (spread %.0f%%%s)\n", all[ours].name.c_str(), all[peer].name.c_str(), found.ratio,
                100 * found.spread, found.steady ? "" : ", not steady");
  }
}

json comparison_record(const std::string& bench, const std::string& what, int ranks, const standing& ours,
                       const standing& peer) {
  const auto found = compare(ours.us, peer.us);
  return json()
      .add("bench", bench)
      .add("case", what)
      .add("ranks", ranks)
      .add("mpi", wherry::mpi_library_version())
      .add("ours", ours.name)
      .add("ours_us", found.ours_us)
      .add("peer", peer.name)
      .add("peer_us", found.peer_us)
      .add("ratio", found.ratio)
      .add("spread", found.spread)
      .add("steady", found.steady)
      .add("ours_waiting", median(ours.waiting))
      .add("peer_waiting", median(peer.waiting))
      .add("rounds", ours.us.size());
}

}  // namespace bench
