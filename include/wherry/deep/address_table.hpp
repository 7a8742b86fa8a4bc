/// @file
/// Address → word, in one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "wherry/core/hash.hpp"
#include "wherry/core/zeroed_memory.hpp"

namespace wherry::deep {

/// Open addressing over 16-byte entries, Fibonacci hashing. No key is null.
class address_table {
 public:
  address_table() = default;
  /// Leaves an empty table.
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

  /// Gives the word under which `key` is known; or takes it up with `fresh` and gives that.
  std::uint64_t find_or_insert(const void* key, std::uint64_t fresh) {
    if (is_full()) grow();
    entry& e = entry_of(key);
    if (e.key == nullptr) {
      e = {key, fresh};
      ++size_;
    }
    return e.word;
  }
  /// Null when `key` is not known.
  const std::uint64_t* find(const void* key) const {
    if (slots_ == 0) return nullptr;
    const entry& e = entry_of(key);
    return e.key == nullptr ? nullptr : &e.word;
  }
  /// Brings the place of `key` near, in a table that does not fit into the nearest cache.
  void prefetch(const void* key) const {
    if (slots_ > 1024) __builtin_prefetch(&entries()[place_of(key)]);
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_ * sizeof(entry); }
  /// One more makes it grow.
  bool is_full() const { return 8 * (size_ + 1) > 5 * slots_; }

  /// Of all entries, until `run` says false. @return whether it never did
  template <class Do> bool for_each(Do run) const {
    for (std::size_t i = 0; i < slots_; ++i)
      if (entries()[i].key != nullptr && !run(entries()[i])) return false;
    return true;
  }

 private:
  std::size_t place_of(const void* key) const {
    // Spreads addresses that differ in their low bits only; the low bits of the product are not needed.
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) * wherry::detail::golden_ratio) >> shift_);
  }
  entry& entry_of(const void* key) const {
    std::size_t at = place_of(key);
    while (entries()[at].key != key && entries()[at].key != nullptr) at = (at + 1) & (slots_ - 1);
    return entries()[at];
  }
  // Zeros are null pointers.
  entry* entries() const { return reinterpret_cast<entry*>(memory_.data()); }

  /// @throws error(resource)
  [[gnu::cold]] void grow();

  zeroed_memory memory_;
  std::size_t slots_ = 0, size_ = 0;
  int shift_ = 64;
};

}  // namespace wherry::deep
