/// @file
/// Times several ways to solve the same problem in interleaved rounds of one run, each with the share of its time that
/// is spent communicating.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/json.hpp"
#include "harness/ratios.hpp"

namespace bench {

/// Wraps an object with `start` and `wait`, such as a mover or a hand-written exchange, and adds up the time that its
/// caller spends in them.
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

/// One way to solve the problem. All ranks have the same contenders in the same order.
struct contender {
  std::string name;
  std::function<void()> run;
  std::function<double()> communicating = nullptr;  ///< seconds of this rank since the object was made; null: unknown
  std::function<void()> prepare = nullptr;          ///< run before each run and not timed; null: nothing
};

/// The measurements of a contender, one sample for each round.
struct standing {
  std::string name;
  std::vector<double> us;       ///< time of one run on the slowest rank
  std::vector<double> waiting;  ///< share of time communicating, mean of the ranks: the paper's "communicate"
};

/// Collective. Runs rounds until `seconds` are over, at least `fewest`. Each round times every contender once, in a new
/// random order.
std::vector<standing> contest(MPI_Comm comm, const std::vector<contender>& contenders, double seconds, int fewest = 5);

/// Two of the standings that are compared with each other.
struct pairing {
  std::size_t ours, peer;
};

/// Prints all standings, each beside the one at `pairing::peer`.
void print_standings(const std::vector<standing>& all, const std::vector<pairing>& pairs);

/// Makes a record in the form of all benchmarks of the project: bench, case, ranks, mpi, ours, ours_us, peer, peer_us,
/// ratio, spread, steady, and the shares of waiting.
json comparison_record(const std::string& bench, const std::string& what, int ranks, const standing& ours,
                       const standing& peer);

}  // namespace bench
