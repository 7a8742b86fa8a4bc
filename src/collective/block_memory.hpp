// Where an algorithm's blocks are in memory, for those who carry it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "blocks.hpp"

namespace wherry::collective {

/// The blocks of a buffer of an algorithm. Either a user's, or a vector cut into pieces, or memory for some of them,
/// which may go around: behind the last one comes block 0.
class block_memory {
 public:
  block_memory() = default;
  /// One a rank, where the table has them.
  static block_memory of_ranks(const block_table& table) {
    block_memory made;
    made.table_ = table;
    made.how_ = way::table;
    return made;
  }
  /// One alone: block `number` is the table's block 0.
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
  /// `held` blocks of equal size from `first` on, around.
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
  /// Elements. (Counts are below 2^48, blocks below 2^15: no overflow; more blocks than that have few elements each.)
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
