// How long calls take. Few calls are timed; all are counted by size.
#pragma once

#include <chrono>
#include <string>

#include "wherry/collective/call.hpp"

#include "gains.hpp"

namespace wherry::preload {

/// Measures the time since it was made, if `runs`.
class stopwatch {
 public:
  explicit stopwatch(bool runs) : runs_(runs) {
    if (runs_) began_ = std::chrono::steady_clock::now();
  }
  bool runs() const { return runs_; }
  double us() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  bool runs_;
  std::chrono::steady_clock::time_point began_;
};

/// Counts one of Wherry's calls. Any thread may call it.
void count_size(const collective::call& what);
/// @param by_mpi true: it was MPI's turn
void add_sample(const collective::call& what, bool by_mpi, double us);
/// Counts a call that would have been MPI's turn, but might have given other bits there.
void count_kept_from_mpi(collective::kind what);

/// The gain over all sizes so far.
gain gain_so_far(collective::kind what);
bool was_kept_from_mpi(collective::kind what);

}  // namespace wherry::preload
