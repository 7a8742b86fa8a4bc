// One stage of a classic algorithm: what one rank does at once, and the contract between algorithms and executors. No
// MPI, and no bytes: an algorithm works on numbered blocks, and only the executor knows their sizes.
//
// There are two buffers, both divided into blocks 0..blocks-1:
// - `input`: the contribution of this rank, which is only read. Gather, allgather: its own block alone. Scatter: all
//   blocks, at the root. Reductions: all. Alltoall: block j goes to rank j. Broadcast, barrier: none.
// - `work`: the buffer that becomes the result. It is undefined at first, except at the root of a broadcast. At the end
//   block r of a gather, allgather or scatter is that of rank r, and of an alltoall the block from rank r; a broadcast,
//   reduce, allreduce or scan has all blocks, a reduce_scatter the rank's own. Blocks that are not part of the result
//   are room for the algorithm; it touches no block outside `algorithm::held`.
// If `algorithm::in_place` is true, both may be the same memory.
//
// The executor guarantees that
// - all sends of a stage read the data from before the stage. The blocks that a stage *stores* differ from those that
// it
//   sends, even if input and work are the same memory, so that they may be received in place at once. The exception is
//   `stage::overwrites`: then sends leave from copies, or arriving data waits in one. A block that is *combined* may
//   also be sent: it is combined when the sends are done;
// - arriving data is stored and combined in the order of the list `receives`, which may name the same blocks again;
// - a stage begins when all receives of the one before have arrived. It may wait for the sends, too: that never
//   deadlocks. Between two ranks the n-th message sent is the n-th received.
// Messages of a barrier are empty, and are sent all the same. Other messages without bytes may be left out: both sides
// know that they are empty.
//
// The algorithm guarantees that a stage has at most one send to a peer and one receive from it; that ranges are not
// empty, and those of one transfer touch no block twice; and that no stage is empty. A receive names the buffer of the
// other operand (see `transfer`), so that the executor need not copy data that it can read in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wherry::collective {

enum class buffer : std::uint8_t { input, work };

/// Consecutive blocks.
struct block_range {
  int first = 0, count = 0;
  buffer where = buffer::work;
  bool operator==(const block_range&) const = default;
};

/// The operation on data that arrives.
enum class arrival : std::uint8_t {
  store,
  combine_before,  ///< arriving data (op) present data
  combine_after    ///< present data (op) arriving data
};

/// A message. The ranges of a send are the blocks that are read. The ranges of a receive are the blocks of `work` that
/// are written; `where` is then the buffer with the present data of a combination: `input` if a block is touched for
/// the first time. A receive from the rank itself is not a message: it takes the same blocks of `input`.
struct transfer {
  int peer = 0;
  arrival how = arrival::store;                    ///< for receives
  std::uint32_t first_range = 0, range_count = 0;  ///< in `stage::ranges`, in wire order
  bool operator==(const transfer&) const = default;
};

struct stage {
  std::vector<transfer> sends, receives;
  std::vector<block_range> ranges;
  bool overwrites = false;  ///< see above

  std::span<const block_range> ranges_of(const transfer& t) const {
    return std::span(ranges).subspan(t.first_range, t.range_count);
  }
  bool empty() const { return sends.empty() && receives.empty(); }
  /// Removes all transfers and keeps the memory.
  void clear() {
    sends.clear();
    receives.clear();
    ranges.clear();
    overwrites = false;
  }

  // For algorithms: a transfer, and then its ranges.
  void send(int peer) { sends.push_back({peer, arrival::store, end_of_ranges(), 0}), last_ = &sends; }
  void receive(int peer, arrival how = arrival::store) {
    receives.push_back({peer, how, end_of_ranges(), 0}), last_ = &receives;
  }
  void send(int peer, const block_range& what) { send(peer), add(what); }
  void receive(int peer, arrival how, const block_range& what) { receive(peer, how), add(what); }
  /// Adds a range to the latest transfer. An empty range adds nothing; a range that continues the one before is merged
  /// with it.
  void add(const block_range& what);
  /// Adds blocks that continue with block 0 after the last one of `blocks`; `first` is in -blocks..2·blocks-1.
  void add_around(std::int64_t first, int count, int blocks, buffer where = buffer::work);

 private:
  std::uint32_t end_of_ranges() const { return static_cast<std::uint32_t>(ranges.size()); }
  std::vector<transfer>* last_ = nullptr;
};

/// A rank and its call. All but the rank is the same on all ranks.
struct place {
  int rank = 0, size = 1;
  int root = 0;
  int segments = 1;          ///< the number of pieces into which pipelines (`chain`) cut the vector
  bool commutative = false;  ///< the operation commutes: some algorithms are then faster
};

}  // namespace wherry::collective
