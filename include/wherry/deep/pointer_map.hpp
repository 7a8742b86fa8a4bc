/// @file
/// The writer's map of shared objects that it has met, from address to number. `maps_pointers` (`detail/writer.hpp`)
/// says how a map of your own may replace it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/core/zeroed_memory.hpp"
#include "wherry/deep/address_table.hpp"

namespace wherry::deep {

/// A map from addresses to numbers that grows with the number of objects.
///
/// Few objects are kept in one hash table. For many objects, which mostly lie close together, the numbers are stored in
/// the order of the addresses: each block of memory has a block of words, one for each 16 bytes. A writer that walks
/// through memory then walks through the map as well, where hashing would fetch a cache line for each object.
class pointer_map {
 public:
  /// These bits are 0 in every word that the map is given. The bits below them are a number; the bits above them may be
  /// anything.
  static constexpr int first_free_bit = 44, free_bits = 4;

  pointer_map() = default;
  pointer_map(const pointer_map&) = delete;
  pointer_map& operator=(const pointer_map&) = delete;

  /// Returns the number of `key`, which is not null; if `key` is not in the map, it is added with the number `fresh`.
  /// @param fresh a word without the free bits; its lower part is less than 2^44 - 1
  std::uint64_t find_or_insert(const void* key, std::uint64_t fresh) {
    if (!is_in_block(key) && !enter_block(key)) return in_table(key, fresh);
    return in_word(block_[granule_of(key)], key, fresh);
  }
  /// The place of a key's word, which never moves; null if the key has none yet.
  using place = std::uint64_t*;
  /// Prefetches the word of `key`, if the map is too large for the first-level cache.
  place prefetch(const void* key) const {
    const std::uint64_t* const block = words_.empty() ? nullptr : blocks_.find(block_of(key));
    if (block == nullptr) {
      table_.prefetch(key);
      return nullptr;
    }
    const place at = reinterpret_cast<std::uint64_t*>(*block) + granule_of(key);
    __builtin_prefetch(at);
    return at;
  }
  /// As `find_or_insert`, faster.
  /// @param at the result of `prefetch` for `key`
  std::uint64_t find_or_insert_at(place at, const void* key, std::uint64_t fresh) {
    return at == nullptr ? find_or_insert(key, fresh) : in_word(*at, key, fresh);
  }
  std::size_t size() const { return placed_ + table_.size(); }
  std::size_t bytes() const { return table_.bytes() + blocks_.bytes() + bytes_of_words_; }

 private:
  static constexpr std::size_t granule = 16, block_bytes = 1024, words_in_block = block_bytes / granule;
  static constexpr std::uint64_t free_mask = ((std::uint64_t{1} << free_bits) - 1) << first_free_bit;

  static std::uintptr_t address_of(const void* key) { return reinterpret_cast<std::uintptr_t>(key); }
  /// The block that holds `key`, named by its last byte, because that address is never null.
  static const void* block_of(const void* key) {
    return reinterpret_cast<const void*>(address_of(key) | (block_bytes - 1));
  }
  static std::size_t granule_of(const void* key) { return address_of(key) / granule % words_in_block; }
  static std::uint64_t within_granule(const void* key) {
    return static_cast<std::uint64_t>(address_of(key) % granule) << first_free_bit;
  }

  std::uint64_t in_word(std::uint64_t& word, const void* key, std::uint64_t fresh) {
    if (word == 0) {
      word = (fresh + 1) | within_granule(key);
      ++placed_;
      return fresh;
    }
    if (((word ^ within_granule(key)) & free_mask) == 0) return (word & ~free_mask) - 1;
    return in_table(key, fresh);  // a second object begins in the same 16 bytes
  }

  bool is_in_block(const void* key) const { return address_of(key) - begin_ < block_bytes; }
  /// Makes the block of `key` the current one.
  /// @return false if `key` has no block
  bool enter_block(const void* key) {
    if (words_.empty()) return false;
    const void* const block = block_of(key);
    const std::uint64_t* const known = blocks_.find(block);
    if (known == nullptr) return make_block(block);
    enter(block, *known);
    return true;
  }
  void enter(const void* block, std::uint64_t words) {
    begin_ = address_of(block) - (block_bytes - 1);
    block_ = reinterpret_cast<std::uint64_t*>(words);
  }
  std::uint64_t in_table(const void* key, std::uint64_t fresh) {
    if (table_.is_full() && !is_open_ && place_if_dense()) return find_or_insert(key, fresh);
    return table_.find_or_insert(key, fresh);
  }

  bool make_block(const void* block);
  [[gnu::cold]] bool place_if_dense();
  [[gnu::cold]] void reserve_blocks(std::size_t n);

  std::uintptr_t begin_ = std::uintptr_t{1} << 63;  // of the current block; at first an address where no object lies
  std::uint64_t* block_ = nullptr;                  // the words of the current block
  // If true, each block is made when its first object is met: the table then holds only objects that share their 16
  // bytes with another one.
  bool is_open_ = false;
  std::size_t placed_ = 0;
  detail::address_table table_;
  detail::address_table blocks_;  // the words of each block
  std::vector<wherry::detail::zeroed_memory> words_;
  std::uint64_t* next_words_ = nullptr;
  std::size_t blocks_left_ = 0, bytes_of_words_ = 0;
};

}  // namespace wherry::deep
