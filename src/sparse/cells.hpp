// A board of cells in node-shared memory: for each number, each rank has one cell for each rank of its node, which
// holds the number of its elements and either the elements or their place. A sparse exchange has a number for each of
// its hops, the same on all ranks. The cells of the latest numbers are kept, so that several exchanges can be under
// way. Free of MPI.
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
  alignas(64) std::atomic<std::uint64_t> number{0};  ///< of the exchange's hop; stored last
  std::uint64_t word;                                ///< in which the ranks' calls must agree
  std::int64_t bytes;                                ///< of elements; -1: the writer has nothing for the reader
  std::byte content[room];                           ///< the elements, or their place in the writer's arena
};
static_assert(sizeof(cell) == 64);

/// A rank's part of the board, followed by its cells: for each kept number, one for each rank of the node.
struct cell_part {
  static constexpr std::size_t most_kept = 24;
  /// For each kept number, the last number with the same cells of which this rank needs no cell any more.
  alignas(64) std::array<std::atomic<std::uint64_t>, most_kept> finished{};
};
static_assert(sizeof(cell_part) == 192);

/// The board as one rank sees it.
class cell_board {
 public:
  cell_board() = default;
  /// @param parts of all ranks of the node, in this process's addresses
  /// @param kept the number of numbers whose cells are kept, at most `most_kept`
  cell_board(std::vector<std::byte*> parts, int me, std::size_t kept)
      : parts_(std::move(parts)), me_(me), kept_(kept), slots_(kept) {}

  static std::size_t bytes_of_part(int members, std::size_t kept) {
    return sizeof(cell_part) + static_cast<std::size_t>(members) * kept * sizeof(cell);
  }
  /// Makes the objects of a part in zeroed memory.
  static void make_part(std::byte* memory, int members, std::size_t kept) {
    new (memory) cell_part;
    auto* const cells = memory + sizeof(cell_part);
    for (std::size_t i = 0; i < static_cast<std::size_t>(members) * kept; ++i) new (cells + i * sizeof(cell)) cell;
  }

  int members() const { return static_cast<int>(parts_.size()); }
  int me() const { return me_; }

  /// Reserves the cells of this rank that have this number. @returns the number that they had before; 0: none
  std::uint64_t reserve(std::uint64_t number) {
    auto& mine = slots_[number % kept_];
    mine.open.push_back(number);
    return std::exchange(mine.last, number);
  }
  /// True if `reader` needs no cell with this number any more.
  bool is_finished(int reader, std::uint64_t number) const {
    return head(reader).finished[number % kept_].load(std::memory_order_acquire) >= number;
  }
  cell& mine_for(int reader, std::uint64_t number) { return at(me_, reader, number); }
  /// Publishes a cell whose other words are written.
  static void publish(cell& one, std::uint64_t number) { one.number.store(number, std::memory_order_release); }
  /// The cell of `writer` for this rank; null if the writer has not come.
  const cell* from(int writer, std::uint64_t number) const {
    const auto& one = at(writer, me_, number);
    return one.number.load(std::memory_order_acquire) == number ? &one : nullptr;
  }
  /// This rank needs no cell with this number any more, nor the memory that they name. The writers learn of it when
  /// this rank has also finished the numbers that the same cells had before. Has no effect the second time.
  void finish(std::uint64_t number) {
    auto& mine = slots_[number % kept_];
    if (std::erase(mine.open, number) == 0) return;
    head(me_).finished[number % kept_].store(mine.open.empty() ? mine.last : mine.open.front() - 1,
                                             std::memory_order_release);
  }

 private:
  cell_part& head(int member) const { return *reinterpret_cast<cell_part*>(parts_[static_cast<std::size_t>(member)]); }
  cell& at(int writer, int reader, std::uint64_t number) const {
    auto* const cells = parts_[static_cast<std::size_t>(writer)] + sizeof(cell_part);
    const auto place = number % kept_ * parts_.size() + static_cast<std::size_t>(reader);
    return *reinterpret_cast<cell*>(cells + place * sizeof(cell));
  }

  struct slot {
    std::uint64_t last = 0;           // the last number that was reserved
    std::vector<std::uint64_t> open;  // those that this rank has not finished, in ascending order
  };
  std::vector<std::byte*> parts_;
  int me_ = 0;
  std::size_t kept_ = 1;
  std::vector<slot> slots_;  // by number modulo `kept_`
};

}  // namespace wherry::sparse
