/// @file
/// A number that tells whether two ranks hold the same data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace apps {

/// Fowler, Noll and Vo's hash (FNV-1a), a word at a time. Not for data that somebody wants to collide.
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
  std::uint64_t value() const { return state_; }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3;
    state_ ^= state_ >> 32;  // the product's high bits depend on all of the word, the low ones do not
  }
  std::uint64_t state_ = 0xcbf29ce484222325;
};

}  // namespace apps
