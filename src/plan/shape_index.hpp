// Which of many strided blocks have the same shape, so that it is compiled and kept once. Used while compiling only.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "wherry/plan/block.hpp"

namespace wherry {

/// The runs and loops of one or two strided blocks as words that can be compared.
class shape_key {
 public:
  explicit shape_key(const block& b) { add(b); }
  shape_key(const block& from, const block& to) {
    add(from);
    add(to);
  }

  bool operator==(const shape_key& other) const {
    return used_ == other.used_ && std::memcmp(words_.data(), other.words_.data(), used_ * sizeof(words_[0])) == 0;
  }
  std::uint64_t hash() const {
    std::uint64_t h = used_;
    for (std::size_t i = 0; i < used_; ++i) {
      h = (h ^ static_cast<std::uint64_t>(words_[i])) * 0x9E3779B97F4A7C15u;
      h ^= h >> 32;
    }
    return h;
  }

 private:
  void add(const block& b) {
    words_[used_++] = b.run;
    words_[used_++] = b.loops;
    for (std::size_t d = 0; d < static_cast<std::size_t>(b.loops); ++d) {
      words_[used_++] = b.loop[d].extent;
      words_[used_++] = b.loop[d].stride;
    }
  }

  std::size_t used_ = 0;
  std::array<std::int64_t, 2 * (2 + 2 * max_block_rank)> words_;  // the rest is left unset: it would cost as much
};

/// Numbers the distinct keys from 0 on, in the order in which they come. Looks at the last one first.
class shape_index {
 public:
  struct answer {
    std::uint32_t number;
    bool is_new;
  };

  answer number_of(const shape_key& key) {
    if (last_ < keys_.size() && keys_[last_] == key) return {last_, false};
    if (2 * keys_.size() >= slots_.size()) grow();
    auto& slot = slot_of(key);
    const bool is_new = slot == free;
    if (is_new) {
      slot = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    last_ = slot;
    return {slot, is_new};
  }

 private:
  static constexpr std::uint32_t free = ~std::uint32_t{0};

  std::uint32_t& slot_of(const shape_key& key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key.hash() & mask;; at = (at + 1) & mask)
      if (slots_[at] == free || keys_[slots_[at]] == key) return slots_[at];
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), free);
    for (std::uint32_t k = 0; k < keys_.size(); ++k) slot_of(keys_[k]) = k;
  }

  std::vector<shape_key> keys_;
  std::vector<std::uint32_t> slots_;  // numbers of keys, by hash
  std::uint32_t last_ = 0;
};

}  // namespace wherry
