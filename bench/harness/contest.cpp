#include "harness/contest.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thread>

#include "wherry/core/mpi.hpp"

#include "harness/shuffled.hpp"
#include "harness/waiting.hpp"

namespace bench {
namespace {

/// The seconds that a run of one contender took on this rank, and the part of them that was spent communicating.
struct sample {
  double seconds, communicating;
};

/// The contenders of one communicator, and the times of their runs. The ranks meet before each run, and share its times
/// once in each round, because with more ranks than cores a call of MPI's takes longer than most runs.
class rounds {
 public:
  rounds(MPI_Comm comm, const std::vector<contender>& contenders)
      : comm_(comm), contenders_(contenders), mine_(contenders.size(), sample{}) {
    MPI_Comm_size(comm, &ranks_);
    crowded_ = exceed_cores(ranks_);
  }

  void run(std::size_t which) {
    const auto& one = contenders_[which];
    const auto communicating = [&] { return one.communicating ? one.communicating() : 0.0; };
    if (one.prepare) one.prepare();
    const double before = communicating();
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_, &all_here);
    wait_for(all_here);
    const double began = MPI_Wtime();
    one.run();
    mine_[which] = {MPI_Wtime() - began, communicating() - before};
  }

  /// Makes a sample of the last run of each contender. Returns the seconds of all runs, each on its slowest rank.
  double keep(std::vector<standing>& of) {
    const auto count = contenders_.size();
    std::vector<double> slowest(count), shares(count);
    for (std::size_t i = 0; i < count; ++i) {
      slowest[i] = mine_[i].seconds;
      shares[i] = mine_[i].seconds > 0 ? mine_[i].communicating / mine_[i].seconds : 0;
    }
    reduce(slowest, MPI_MAX);
    reduce(shares, MPI_SUM);
    for (std::size_t i = 0; i < count; ++i) {
      of[i].us.push_back(1e6 * slowest[i]);
      of[i].waiting.push_back(shares[i] / ranks_);
    }
    return std::accumulate(slowest.begin(), slowest.end(), 0.0);
  }

 private:
  /// If ranks outnumber cores, a waiting rank yields its core to a rank with work.
  void wait_for(MPI_Request& request) const {
    await_request(request, [this] {
      if (crowded_) std::this_thread::yield();
    });
  }
  void reduce(std::vector<double>& values, MPI_Op op) const {
    MPI_Request reduced = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, op, comm_, &reduced);
    wait_for(reduced);
  }

  MPI_Comm comm_;
  const std::vector<contender>& contenders_;
  std::vector<sample> mine_;
  int ranks_ = 1;
  bool crowded_ = false;
};

}  // namespace

std::vector<standing> contest(MPI_Comm comm, const std::vector<contender>& contenders, double seconds, int fewest) {
  rounds all(comm, contenders);
  std::vector<standing> result;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    all.run(i);  // not kept; afterwards all memory is allocated and all code has run
    result.push_back({contenders[i].name, {}, {}});
  }
  double elapsed = 0;  // a sum of figures that all ranks have, so that all of them stop together
  shuffled order(contenders.size());
  for (int round = 0; round < std::max(2, fewest) || elapsed < seconds; ++round) {
    for (const auto which : order.next_round()) all.run(which);
    elapsed += all.keep(result);
  }
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
