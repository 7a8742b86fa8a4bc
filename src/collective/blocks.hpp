// Where the data of a call are: bytes that lie together, a block for each rank or one for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wherry::collective {

class block_table {
 public:
  block_table() = default;
  /// Blocks alike, one behind the other.
  block_table(std::byte* base, std::int64_t bytes) : base_(base), each_(bytes) {}
  /// As MPI's "v" collectives say it, in elements. No displacements: one behind the other, for which see `offsets`.
  block_table(std::byte* base, const int* counts, const int* displacements, std::int64_t element)
      : base_(base), counts_(counts), displacements_(displacements), element_(element) {}
  /// Any: two figures a block, bytes and offset.
  block_table(std::byte* base, const std::int64_t* sizes_and_offsets) : base_(base), listed_(sizes_and_offsets) {}

  std::int64_t bytes(int block) const {
    if (counts_ != nullptr) return counts_[block] * element_;
    return listed_ != nullptr ? listed_[2 * block] : each_;
  }
  std::byte* at(int block) const {
    if (counts_ != nullptr) return base_ + displacements_[block] * element_;
    return base_ + (listed_ != nullptr ? listed_[2 * block + 1] : block * each_);
  }
  /// The same blocks elsewhere.
  bool alike() const { return counts_ == nullptr && listed_ == nullptr; }

 private:
  std::byte* base_ = nullptr;
  std::int64_t each_ = 0;
  const int *counts_ = nullptr, *displacements_ = nullptr;
  std::int64_t element_ = 0;
  const std::int64_t* listed_ = nullptr;
};

}  // namespace wherry::collective
