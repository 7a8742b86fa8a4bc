// The places of a call's data: contiguous bytes, one block for each rank or one block for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry::collective {

/// Lists the bytes and the address of each block, in the form in which the caller has them.
class block_table {
 public:
  block_table() = default;
  /// Equal blocks, one after the other.
  block_table(std::byte* base, std::int64_t bytes) : base_(base), each_(bytes) {}
  /// Counts and displacements in elements, as in MPI's "v" collectives.
  block_table(std::byte* base, const int* counts, const int* displacements, std::int64_t element)
      : base_(base), counts_(counts), displacements_(displacements), element_(element) {}
  /// Any blocks: two numbers for each, bytes and offset.
  block_table(std::byte* base, const std::int64_t* sizes_and_offsets) : base_(base), listed_(sizes_and_offsets) {}

  std::int64_t bytes(int block) const {
    if (counts_ != nullptr) return counts_[block] * element_;
    return listed_ != nullptr ? listed_[2 * block] : each_;
  }
  std::byte* at(int block) const {
    if (counts_ != nullptr) return base_ + displacements_[block] * element_;
    return base_ + (listed_ != nullptr ? listed_[2 * block + 1] : block * each_);
  }
  /// True if all blocks have the same size.
  bool alike() const { return counts_ == nullptr && listed_ == nullptr; }

 private:
  std::byte* base_ = nullptr;
  std::int64_t each_ = 0;
  const int *counts_ = nullptr, *displacements_ = nullptr;
  std::int64_t element_ = 0;
  const std::int64_t* listed_ = nullptr;
};

}  // namespace wherry::collective
