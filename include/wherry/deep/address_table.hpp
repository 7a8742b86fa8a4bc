/// @file
/// A hash table from addresses to 64-bit words, for `pointer_map` and similar tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/core/zeroed_memory.hpp"

namespace wherry::deep::detail {

/// A hash table with open addressing over 16-byte entries and Fibonacci hashing. No key is null.
class address_table {
 public:
  address_table() = default;
  /// `other` is left as an empty table.
  address_table(address_table&& other) noexcept
      : memory_(std::move(other.memory_)),
        slots_(std::exchange(other.slots_, 0)),
        size_(std::exchange(other.size_, 0)),
        shift_(other.shift_) {}
  address_table& operator=(address_table&& other) noexcept {
    memory_ = std::move(other.memory_);
    slots_ = std::exchange(other.slots_, 0);
    size_ = std::exchange(other.size_, 0);
    shift_ = other.shift_;
    return *this;
  }

  struct entry {
    const void* key;
    std::uint64_t word;
  };

  /// Returns the word of `key`; if `key` is not in the table, it is added with the word `fresh`.
  /// @throws error(resource) if there is no memory to grow
  std::uint64_t find_or_insert(const void* key, std::uint64_t fresh) {
    if (is_full()) grow();
    entry& e = entry_of(key);
    if (e.key == nullptr) {
      e = {key, fresh};
      ++size_;
    }
    return e.word;
  }
  /// The word of `key`; null if `key` is not in the table.
  const std::uint64_t* find(const void* key) const {
    if (slots_ == 0) return nullptr;
    const entry& e = entry_of(key);
    return e.key == nullptr ? nullptr : &e.word;
  }
  /// Prefetches the entry of `key`, if the table is too large for the first-level cache.
  void prefetch(const void* key) const {
    if (slots_ > 1024) __builtin_prefetch(&entries()[place_of(key)]);
  }

  std::size_t size() const { return size_; }
  /// The memory of the table.
  std::size_t bytes() const { return slots_ * sizeof(entry); }
  /// True if the next new key makes the table grow.
  bool is_full() const { return 8 * (size_ + 1) > 5 * slots_; }

  /// Calls `run(entry)` for all entries until it returns false.
  /// @return true if `run` never returned false
  template <class Do> bool for_each(Do run) const {
    for (std::size_t i = 0; i < slots_; ++i)
      if (entries()[i].key != nullptr && !run(entries()[i])) return false;
    return true;
  }

 private:
  std::size_t place_of(const void* key) const {
    // Multiplication spreads addresses that differ in their low bits only; the upper bits of the product are enough.
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) * wherry::detail::golden_ratio) >> shift_);
  }
  entry& entry_of(const void* key) const {
    std::size_t at = place_of(key);
    while (entries()[at].key != key && entries()[at].key != nullptr) at = (at + 1) & (slots_ - 1);
    return entries()[at];
  }
  // Memory full of zeros is a table of null keys.
  entry* entries() const { return reinterpret_cast<entry*>(memory_.data()); }

  /// @throws error(resource)
  [[gnu::cold]] void grow();

  wherry::detail::zeroed_memory memory_;
  std::size_t slots_ = 0, size_ = 0;
  int shift_ = 64;
};

}  // namespace wherry::deep::detail
