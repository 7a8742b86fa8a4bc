#include "wherry/deep/pointer_map.hpp"

#include <algorithm>
#include <utility>

#include "wherry/core/allocation.hpp"

namespace wherry::deep {
namespace {

// A smaller table fits in the first-level cache.
constexpr std::size_t few = 1024;
// With this many objects in a block, some of them share a cache line of words.
constexpr std::size_t dense = 8;

}  // namespace

bool pointer_map::make_block(const void* block) {
  if (!is_open_) return false;
  if (blocks_left_ == 0) {
    is_open_ = size() >= dense * blocks_.size();
    if (!is_open_) return false;
    reserve_blocks(blocks_.size());
  }
  enter(block, blocks_.find_or_insert(block, reinterpret_cast<std::uintptr_t>(next_words_)));
  next_words_ += words_in_block;
  --blocks_left_;
  return true;
}

// @return true if the objects were dense; all are then in blocks
bool pointer_map::place_if_dense() {
  if (table_.size() < few) return false;
  detail::address_table more_blocks;
  const bool is_dense = table_.for_each([&](const detail::address_table::entry& e) {
    const void* const block = block_of(e.key);
    if (blocks_.find(block) == nullptr) more_blocks.find_or_insert(block, 0);
    return dense * (blocks_.size() + more_blocks.size()) <= size();
  });
  if (!is_dense) return false;
  reserve_blocks(std::max(more_blocks.size(), blocks_.size()));
  const detail::address_table all = std::exchange(table_, {});
  is_open_ = true;
  all.for_each([&](const detail::address_table::entry& e) {
    find_or_insert(e.key, e.word);
    return true;
  });
  return true;
}

void pointer_map::reserve_blocks(std::size_t n) {
  const std::size_t bytes = n * block_bytes / granule * sizeof(std::uint64_t);
  words_.push_back(wherry::detail::allocating("deep copy", "the map of shared objects", bytes,
                                              [=] { return wherry::detail::zeroed_memory(bytes); }));
  next_words_ = reinterpret_cast<std::uint64_t*>(words_.back().data());
  blocks_left_ = n;
  bytes_of_words_ += bytes;
}

}  // namespace wherry::deep
