// GASPI as this process has it while the transport may be used.
#pragma once

#include <GASPI.h>

#include <cstddef>
#include <deque>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "failure.hpp"
#include "posting_queue.hpp"
#include "segment_heap.hpp"

namespace wherry::gpi2 {

class runtime {
 public:
  /// Asks GASPI, which runs, for its limits.
  explicit runtime(const caller& who);

  /// Null: use_gpi2 has not been called, or MPI_Finalize has begun.
  static runtime* now();
  /// @throws error(state)
  static runtime& required(const caller& who);

  segment_heap& heap() { return heap_; }
  /// What goes to one rank stays in order: it always has the same one.
  posting_queue& queue_to(gaspi_rank_t rank) { return queues_[rank % queues_.size()]; }
  /// Bytes of one request.
  std::size_t most_bytes() const { return most_bytes_; }

 private:
  std::deque<posting_queue> queues_;  // which cannot be moved
  std::size_t most_bytes_ = 0;
  segment_heap heap_;
};

/// Ranks of `comm` as GASPI numbers them, which are MPI_COMM_WORLD's.
/// @throws error(argument) for a rank that is not in MPI_COMM_WORLD
std::vector<gaspi_rank_t> ranks_in_gaspi(const communicator& comm, const caller& who, const std::vector<int>& ranks);

}  // namespace wherry::gpi2
