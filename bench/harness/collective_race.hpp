/// @file
/// Runs one collective of one size again and again, and rewrites the buffers between calls, as programs do.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"
#include "wherry/core/node_memory.hpp"

#include "harness/contest.hpp"
#include "harness/listed_blocks.hpp"
#include "harness/neighbors.hpp"

namespace bench::collective {

/// A buffer in ordinary memory, or in memory that the node shares.
class buffer {
 public:
  void resize(std::size_t count, const wherry::communicator* of_node);
  double* data() { return data_; }
  const double* data() const { return data_; }
  std::size_t size() const { return count_; }
  double& operator[](std::size_t i) { return data_[i]; }
  double operator[](std::size_t i) const { return data_[i]; }

 private:
  std::vector<double> own_;
  wherry::node_memory of_node_;
  double* data_ = nullptr;
  std::size_t count_ = 0;
};

/// The elements are doubles. `bytes` is the size of each rank's block or, for broadcasts and reductions, of its vector.
class repeated_call {
 public:
  /// @param how the lengths of blocks, for collectives with lists: `bytes` is then the mean size of a block
  /// @param of_node the communicator for buffers in memory that the node shares; null: ordinary memory
  repeated_call(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes, lengths how = lengths::even,
                const wherry::communicator* of_node = nullptr);

  const wherry::collective::call& call() const { return call_; }
  /// The seconds that `calls` calls take on this rank, without the rewriting. `run(call)` makes one call.
  template <class Run> double time(int calls, Run&& run) {
    double seconds = 0;
    for (int i = 0; i < calls; ++i) {
      rewrite();
      const double began = MPI_Wtime();
      run(call_);
      seconds += MPI_Wtime() - began;
    }
    return seconds;
  }
  /// True if the result of the last call is right.
  bool is_right() const;

 private:
  void rewrite();
  double sent(int from, std::size_t i) const {
    return static_cast<double>(rounds_ % 1000 + 7 * from + static_cast<int>(i % 5));
  }

  wherry::collective::call call_;
  int rank_ = 0, size_ = 1, rounds_ = 0;
  std::size_t count_;
  buffer send_, receive_;
  lists_of_neighbors lists_;             // lists that the call refers to
  std::optional<listed_blocks> listed_;  // lists that the call refers to
};

/// Returns all collectives, or all except the neighbourhood collectives, which need a topology.
std::vector<wherry::collective::kind> kinds_there_are(bool of_neighbors);
/// Returns the collectives with these names. @throws usage_error for a name that is not among them
std::vector<wherry::collective::kind> timed_kinds(const std::vector<std::string>& names, bool of_neighbors = false);
/// @throws usage_error for an implementation that does not exist
void check_implementations(const std::vector<std::string>& names);
/// Sorts the sizes from small to large, each once. @throws usage_error for a size below the 8 bytes of a number
std::vector<int> checked_sizes(std::vector<int> bytes);

/// The number of calls that are timed at once.
int calls_of(std::size_t bytes);

/// MPI's own function, as a program calls it. All others are compared with it.
void call_mpi_directly(const wherry::collective::call& c);

struct racer {
  std::string name;
  std::function<void(const wherry::collective::call&)> run;
  repeated_call& on;
  double seconds = 0;
};

/// Collective. Times these methods together and returns the microseconds of a call. All are checked first.
/// @param named index from which on the methods are named implementations, which may turn out to be unable to do the
/// call
std::vector<standing> race(std::vector<racer>& racers, std::size_t named, MPI_Comm comm, std::size_t bytes,
                           double seconds, int fewest_rounds);

/// Collective. Times together MPI's own function, the chosen implementation ("auto"), the same with buffers that the
/// node shares ("node memory", if there is such memory), and the named implementations that can do the call. Returns
/// the microseconds of a call. All are checked first. @param wanted names; empty: all that can do the call
std::vector<standing> race(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes,
                           const std::vector<std::string>& wanted, double seconds, lengths how = lengths::even);

}  // namespace bench::collective
