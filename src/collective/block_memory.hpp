// The places of an algorithm's blocks in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "blocks.hpp"

namespace wherry::collective {

/// The blocks of a buffer of an algorithm: a user's buffer, a vector cut into pieces, or memory for a range of blocks,
/// in which block 0 may follow the last block.
class block_memory {
 public:
  block_memory() = default;
  /// One block for each rank, at the places in the table.
  static block_memory of_ranks(const block_table& table) {
    block_memory made;
    made.table_ = table;
    made.how_ = way::table;
    return made;
  }
  /// A single block: block `number` is the table's block 0.
  static block_memory of_one(int number, const block_table& table) {
    block_memory made;
    made.table_ = table;
    made.first_ = number;
    made.how_ = way::one;
    return made;
  }
  /// A vector of `count` elements of `element` bytes, cut into `blocks`.
  static block_memory of_vector(std::byte* base, std::int64_t count, std::int64_t element, int blocks) {
    block_memory made;
    made.base_ = base;
    made.each_ = count;
    made.element_ = element;
    made.blocks_ = blocks;
    made.how_ = way::vector;
    return made;
  }
  /// Blocks of equal size from `first` on; block 0 follows the last one.
  static block_memory around(std::byte* base, std::int64_t bytes, int first, int blocks) {
    block_memory made;
    made.base_ = base;
    made.each_ = bytes;
    made.first_ = first;
    made.blocks_ = blocks;
    made.how_ = way::around;
    return made;
  }

  std::byte* at(int block) const {
    switch (how_) {
      case way::table:
        return table_.at(block);
      case way::one:
        return table_.at(0);
      case way::vector:
        return base_ + before(block) * element_;
      case way::around:
        return base_ + each_ * ((block - first_ + blocks_) % blocks_);
    }
    return nullptr;
  }
  std::int64_t bytes(int block) const {
    switch (how_) {
      case way::table:
        return table_.bytes(block);
      case way::one:
        return table_.bytes(0);
      case way::vector:
        return (before(block + 1) - before(block)) * element_;
      case way::around:
        return each_;
    }
    return 0;
  }

 private:
  /// The number of elements before a block. (Counts are below 2^48 and blocks below 2^15, so that nothing overflows;
  /// with more blocks, each has few elements.)
  std::int64_t before(int block) const {
    const auto whole = each_ / blocks_, rest = each_ % blocks_;
    return block * whole + (block < rest ? block : rest);
  }

  enum class way : std::uint8_t { table, one, vector, around } how_ = way::table;
  block_table table_;
  std::byte* base_ = nullptr;
  std::int64_t each_ = 0, element_ = 1;
  int first_ = 0, blocks_ = 1;
};

}  // namespace wherry::collective
