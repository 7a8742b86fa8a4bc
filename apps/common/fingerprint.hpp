/// @file
/// A number that tells whether two ranks hold the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "wherry/core/hash.hpp"

namespace apps {

/// Wherry's own hash, word by word. It does not resist deliberate collisions.
class fingerprint {
 public:
  /// `bytes` must be the same on all ranks: no padding, no addresses.
  void add(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    for (; bytes > 0;) {
      const std::size_t now = bytes < sizeof(std::uint64_t) ? bytes : sizeof(std::uint64_t);
      std::uint64_t word = 0;
      std::memcpy(&word, from, now);
      mix(word);
      from += now;
      bytes -= now;
    }
  }
  template <class Value>
    requires std::is_trivially_copyable_v<Value>
  void add(const Value& value) {
    add(&value, sizeof value);
  }
  std::uint64_t value() const { return words_.value(); }

 private:
  void mix(std::uint64_t word) { words_.add(word); }
  wherry::shape_hash words_;
};

}  // namespace apps
