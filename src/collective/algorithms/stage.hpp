// What one rank does at once in a classic algorithm, and what executors and algorithms promise each other. No MPI, and
// no bytes: an algorithm works on numbered blocks, of whose sizes only the executor knows.
//
// There are two buffers, both divided into blocks 0..blocks-1:
// - `input`: what this rank contributes. Only read. Gather, allgather: its own block alone. Scatter: all, at the root.
//   Reductions: all. Alltoall: block j goes to rank j. Broadcast, barrier: none.
// - `work`: what becomes the result. At first undefined; of a broadcast the root's is there. At the end block r of a
//   gather, allgather or scatter is rank r's, of an alltoall what rank r sent; a broadcast, reduce, allreduce or scan
//   has all blocks, a reduce_scatter the rank's own. Blocks that are no result are room that the algorithm uses;
//   outside `algorithm::held` it touches none.
// Where `algorithm::in_place` says so, both may be the same memory.
//
// The executor sees to it that
// - all sends of a stage read what was there before the stage. What a stage *stores* lies elsewhere than what it sends,
//   even where input and work are the same memory, so that it may be received where it belongs at once; except if
//   `stage::overwrites`: then sends leave from copies, or what arrives waits in one. What is *combined* may well be
//   what is sent: it is combined when the sends are done;
// - what arrives is stored and combined in the order of the list `receives`, which may thus name the same blocks again;
// - a stage begins when all that the one before receives is there. It may wait for the sends, too: that never
//   deadlocks. Between two ranks the n-th message sent is the n-th received.
// Messages of a barrier are empty and nevertheless sent. Other messages whose blocks have no bytes may be left out:
// both sides know that they are.
//
// The algorithm sees to it that in a stage there is at most one send to a peer and one receive from it; that ranges are
// not empty, and those of one transfer touch no block twice; that there are no empty stages. To save an executor from
// copying what can be read where it is, a receive says where the other operand is: see `transfer`.
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

/// What becomes of what comes.
enum class arrival : std::uint8_t {
  store,
  combine_before,  ///< what arrives (op) what is there
  combine_after    ///< what is there (op) what arrives
};

/// A message. Of a send, ranges say what is read. Of a receive, which blocks of `work` are written; `where` is then the
/// buffer in which "what is there" of a combination is: `input` where a block is touched for the first time.
/// A receive from the rank itself is no message: it takes the same blocks of `input`.
struct transfer {
  int peer = 0;
  arrival how = arrival::store;                    ///< of receives
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
  /// Keeps the memory.
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
  /// To the latest transfer. Nothing if empty; one range with the one before where it continues that.
  void add(const block_range& what);
  /// The same for blocks that go on with block 0 behind the last one of `blocks`; `first` is in -blocks..2·blocks-1.
  void add_around(std::int64_t first, int count, int blocks, buffer where = buffer::work);

 private:
  std::uint32_t end_of_ranges() const { return static_cast<std::uint32_t>(ranges.size()); }
  std::vector<transfer>* last_ = nullptr;
};

/// Who asks, about which call. All but the rank is the same on all ranks.
struct place {
  int rank = 0, size = 1;
  int root = 0;
  int segments = 1;          ///< into how many pieces pipelines (`chain`) cut the vector
  bool commutative = false;  ///< the operation is: some algorithms are then faster
};

}  // namespace wherry::collective
