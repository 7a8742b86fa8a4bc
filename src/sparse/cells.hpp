// A board of cells in node-shared memory: for each call, each rank has one cell for each rank of its node, which holds
// the number of its elements and either the elements or their place. Calls are numbered from 1, the same on all ranks;
// the cells of some consecutive calls are kept, so that several calls can be under way. Free of MPI.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace wherry::sparse {

/// One cache line, which one rank writes and one other rank reads.
struct cell {
  static constexpr std::size_t room = 40;            ///< bytes of elements that fit beside the other words
  alignas(64) std::atomic<std::uint64_t> number{0};  ///< of the call; stored last
  std::uint64_t word;                                ///< in which the ranks' calls must agree
  std::int64_t bytes;                                ///< of elements; -1: the writer has nothing for the reader
  std::byte content[room];                           ///< the elements, or their place in the writer's arena
};
static_assert(sizeof(cell) == 64);

/// The number of calls whose cells are kept. Calls with one number each are numbered in threes
/// (communicator_state.hpp).
inline constexpr std::uint64_t calls_kept = 8;

/// A rank's part of the board, followed by its cells: for each kept call, one for each rank of the node.
struct cell_part {
  /// For each kept call, the number of the last call there of which this rank needs no cell any more.
  alignas(64) std::array<std::atomic<std::uint64_t>, calls_kept> finished{};
};
static_assert(sizeof(cell_part) == 64);

/// The board as one rank sees it.
class cell_board {
 public:
  cell_board() = default;
  /// @param parts of all ranks of the node, in this process's addresses
  cell_board(std::vector<std::byte*> parts, int me) : parts_(std::move(parts)), me_(me) {}

  static std::size_t bytes_of_part(int members) {
    return sizeof(cell_part) + static_cast<std::size_t>(members) * calls_kept * sizeof(cell);
  }
  /// Makes the objects of a part in zeroed memory.
  static void make_part(std::byte* memory, int members) {
    new (memory) cell_part;
    auto* const cells = memory + sizeof(cell_part);
    for (std::size_t i = 0; i < static_cast<std::size_t>(members) * calls_kept; ++i)
      new (cells + i * sizeof(cell)) cell;
  }

  int members() const { return static_cast<int>(parts_.size()); }
  int me() const { return me_; }

  /// Reserves the cells of this rank for a call. @returns the call that had them before; 0: none
  std::uint64_t reserve(std::uint64_t call) {
    auto& mine = slots_[call % calls_kept];
    mine.open.push_back(call);
    return std::exchange(mine.last, call);
  }
  /// True if `reader` needs no cell of this call any more.
  bool is_finished(int reader, std::uint64_t call) const {
    return head(reader).finished[call % calls_kept].load(std::memory_order_acquire) >= call;
  }
  cell& mine_for(int reader, std::uint64_t call) { return at(me_, reader, call); }
  /// Publishes a cell whose other words are written.
  static void publish(cell& one, std::uint64_t call) { one.number.store(call, std::memory_order_release); }
  /// The cell of `writer` for this rank; null if the writer has not come.
  const cell* from(int writer, std::uint64_t call) const {
    const auto& one = at(writer, me_, call);
    return one.number.load(std::memory_order_acquire) == call ? &one : nullptr;
  }
  /// This rank needs no cell of this call any more, nor the memory that they name. The writers learn of it when this
  /// rank has also finished the calls that had the same cells before. Has no effect the second time.
  void finish(std::uint64_t call) {
    auto& mine = slots_[call % calls_kept];
    if (std::erase(mine.open, call) == 0) return;
    head(me_).finished[call % calls_kept].store(mine.open.empty() ? mine.last : mine.open.front() - 1,
                                                std::memory_order_release);
  }

 private:
  cell_part& head(int member) const { return *reinterpret_cast<cell_part*>(parts_[static_cast<std::size_t>(member)]); }
  cell& at(int writer, int reader, std::uint64_t call) const {
    auto* const cells = parts_[static_cast<std::size_t>(writer)] + sizeof(cell_part);
    const auto place = call % calls_kept * parts_.size() + static_cast<std::size_t>(reader);
    return *reinterpret_cast<cell*>(cells + place * sizeof(cell));
  }

  std::vector<std::byte*> parts_;
  struct slot {
    std::uint64_t last = 0;           // the call that was reserved last
    std::vector<std::uint64_t> open;  // the calls that this rank has not finished, in ascending order
  };
  std::array<slot, calls_kept> slots_;
  int me_ = 0;
};

}  // namespace wherry::sparse
