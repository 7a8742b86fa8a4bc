/// @file
/// Several ways to solve the same problem, timed beside each other in interleaved rounds of one run, each with the
/// share of its time that it spent communicating.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/json.hpp"
#include "harness/ratios.hpp"

namespace bench {

/// Something with `start` and `wait`, a mover or a hand-written exchange, that adds up how long its caller was in them.
template <class Exchange> class timed {
 public:
  explicit timed(Exchange carried) : carried_(std::move(carried)) {}
  void start() {
    const double began = MPI_Wtime();
    carried_.start();
    seconds_ += MPI_Wtime() - began;
  }
  void wait() {
    const double began = MPI_Wtime();
    carried_.wait();
    seconds_ += MPI_Wtime() - began;
  }
  double seconds() const { return seconds_; }
  const Exchange& carried() const { return carried_; }

 private:
  Exchange carried_;
  double seconds_ = 0;
};

/// One way to solve. All ranks have the same ones in the same order.
struct contender {
  std::string name;
  std::function<void()> run;
  std::function<double()> communicating = nullptr;  ///< seconds this rank has, since it began to exist; null: not told
  std::function<void()> prepare = nullptr;          ///< not timed: what must be done before each run, if anything
};

/// What was measured of a contender, a sample a round.
struct standing {
  std::string name;
  std::vector<double> us;       ///< one run, on the slowest rank
  std::vector<double> waiting;  ///< share of the time spent communicating, mean of the ranks: the paper's "communicate"
};

/// Collective. Rounds until `seconds` are over, at least `fewest`; each times every contender once, in an order
/// drawn anew.
std::vector<standing> contest(MPI_Comm comm, const std::vector<contender>& contenders, double seconds, int fewest = 5);

/// Which two of the standings are a pair to be compared.
struct pairing {
  std::size_t ours, peer;
};

/// Prints all standings, each beside the one at `pairing::peer`.
void print_standings(const std::vector<standing>& all, const std::vector<pairing>& pairs);

/// A record of every benchmark of the project: bench, case, ranks, mpi, ours, ours_us, peer, peer_us, ratio, spread,
/// steady, and the shares of waiting.
json comparison_record(const std::string& bench, const std::string& what, int ranks, const standing& ours,
                       const standing& peer);

}  // namespace bench
