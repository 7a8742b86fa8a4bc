/// @file
/// One collective of one size, over and over, with buffers that are rewritten between calls, as programs do.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "wherry/wherry.hpp"

namespace bench::collective {

/// Of doubles. `bytes` are those of a block or, in broadcasts and reductions, of the vector: what each rank has.
class repeated_call {
 public:
  repeated_call(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes);

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
  std::vector<double> send_, receive_;
};

}  // namespace bench::collective
