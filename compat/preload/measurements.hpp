// How long calls take: few are timed, all are counted by size.
#pragma once

#include <chrono>
#include <string>

#include "wherry/collective/call.hpp"

#include "gains.hpp"

namespace wherry::preload {

/// Times what comes until `stop`, where it is asked to.
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

/// One of ours. Any thread.
void count_size(const collective::call& what);
/// @param by_mpi whether it was its turn
void add_sample(const collective::call& what, bool by_mpi, double us);
/// One that would have been MPI's turn, had it not other bits.
void count_kept_from_mpi(collective::kind what);

/// Of all sizes so far.
gain gain_so_far(collective::kind what);
bool was_kept_from_mpi(collective::kind what);

}  // namespace wherry::preload
