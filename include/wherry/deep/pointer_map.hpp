/// @file
/// The writer's memory of which shared objects it has met: address → number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wherry::deep {

/// Open addressing over 16-byte entries, Fibonacci hashing. May be replaced by any class with the same two functions
/// and `size`.
class pointer_map {
 public:
  /// Gives the number under which `key` is known; or takes it up under `fresh` and gives that. Never null.
  std::uint64_t find_or_insert(const void* key, std::uint64_t fresh) {
    if (2 * (size_ + 1) > slots_) grow();
    entry& e = slot_of(key);
    if (e.key == nullptr) {
      e = {key, fresh};
      ++size_;
    }
    return e.number;
  }
  /// Brings the place of `key` near, in a table that does not fit into the nearest cache.
  void prefetch(const void* key) const {
    if (slots_ > 1024) __builtin_prefetch(&entries_[place_of(key)]);
  }
  /// Null when `key` is not known.
  const std::uint64_t* find(const void* key) const {
    if (slots_ == 0) return nullptr;
    const entry& e = slot_of(key);
    return e.key == nullptr ? nullptr : &e.number;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return slots_ * sizeof(entry); }

 private:
  struct entry {
    const void* key;
    std::uint64_t number;
  };

  std::size_t place_of(const void* key) const {
    // The golden ratio of 2^64 spreads addresses that differ in their low bits only.
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(key) * 0x9E3779B97F4A7C15U) >> shift_);
  }
  entry& slot_of(const void* key) const {
    std::size_t at = place_of(key);
    while (entries_[at].key != key && entries_[at].key != nullptr) at = (at + 1) & (slots_ - 1);
    return entries_[at];
  }

  void grow() {
    const std::size_t before = slots_;
    auto old = std::move(entries_);
    slots_ = before == 0 ? 64 : 4 * before;
    shift_ = before == 0 ? 58 : shift_ - 2;
    entries_ = std::make_unique<entry[]>(slots_);
    for (std::size_t i = 0; i < before; ++i)
      if (old[i].key != nullptr) slot_of(old[i].key) = old[i];
  }

  std::unique_ptr<entry[]> entries_;
  std::size_t slots_ = 0, size_ = 0;
  int shift_ = 64;
};

}  // namespace wherry::deep
