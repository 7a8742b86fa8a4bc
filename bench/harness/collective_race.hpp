/// @file
/// One collective of one size, over and over, with buffers that are rewritten between calls, as programs do.
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

/// Ordinary memory, or memory that the node shares.
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

/// Of doubles. `bytes` are those of a block or, in broadcasts and reductions, of the vector: what each rank has.
class repeated_call {
 public:
  /// @param how of collectives that have lists: then `bytes` are those of a block in the mean
  /// @param of_node where buffers are to be memory that the node shares; null: ordinary memory
  repeated_call(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes, lengths how = lengths::even,
                const wherry::communicator* of_node = nullptr);

  const wherry::collective::call& call() const { return call_; }
  /// Seconds that `calls` calls take this rank, without the rewriting. `run(call)` does one.
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
  /// Whether the last call's result is right.
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
  lists_of_neighbors lists_;             // that the call refers to
  std::optional<listed_blocks> listed_;  // likewise
};

/// All, or all but those among neighbours, which want a topology.
std::vector<wherry::collective::kind> kinds_there_are(bool of_neighbors);
/// The collectives of these names. @throws usage_error for one that is not among those
std::vector<wherry::collective::kind> timed_kinds(const std::vector<std::string>& names, bool of_neighbors = false);
/// @throws usage_error for one that there is not
void check_implementations(const std::vector<std::string>& names);
/// From small to large, each once. @throws usage_error for less than a number's 8 bytes
std::vector<int> checked_sizes(std::vector<int> bytes);

/// As many calls as are timed at once.
int calls_of(std::size_t bytes);

/// MPI's own as a program calls it: what all are compared with.
void call_mpi_directly(const wherry::collective::call& c);

struct racer {
  std::string name;
  std::function<void(const wherry::collective::call&)> run;
  repeated_call& on;
  double seconds = 0;
};

/// Collective: these beside each other; microseconds of a call. All are checked first.
/// @param named from which one on they are implementations of that name, which may turn out not to be able
std::vector<standing> race(std::vector<racer>& racers, std::size_t named, MPI_Comm comm, std::size_t bytes,
                           double seconds, int fewest_rounds);

/// Collective: MPI's own, the chosen one ("auto"), that with buffers which the node shares ("node memory", where there
/// is such), and those named that can, beside each other; microseconds of a call.
/// All are checked first. @param wanted names; none: all that can
std::vector<standing> race(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes,
                           const std::vector<std::string>& wanted, double seconds, lengths how = lengths::even);

}  // namespace bench::collective
