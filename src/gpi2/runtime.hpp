// The state of GASPI in this process, while the transport `gpi2` may be used.
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
  /// Asks GASPI for its limits. GASPI must have been started.
  explicit runtime(const caller& who);

  /// Null if `use_gpi2` has not been called, or if MPI_Finalize has begun.
  static runtime* now();
  /// Does the same, but never returns null. @throws error(state)
  static runtime& required(const caller& who);

  segment_heap& heap() { return heap_; }
  /// The queue for requests to one rank. It is always the same one, so that these requests stay in order.
  posting_queue& queue_to(gaspi_rank_t rank) { return queues_[rank % queues_.size()]; }
  /// The largest number of bytes of one request.
  std::size_t most_bytes() const { return most_bytes_; }

 private:
  std::deque<posting_queue> queues_;  // a deque, because queues cannot be moved
  std::size_t most_bytes_ = 0;
  segment_heap heap_;
};

/// Ranks of `comm` in GASPI's numbers, which are those of MPI_COMM_WORLD.
/// @throws error(argument) for a rank that is not in MPI_COMM_WORLD
std::vector<gaspi_rank_t> ranks_in_gaspi(const communicator& comm, const caller& who, const std::vector<int>& ranks);

}  // namespace wherry::gpi2
