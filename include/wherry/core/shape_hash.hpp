/// @file
/// A shape as one word, made once and compared at each start.
#pragma once

#include <cstdint>

namespace wherry {

/// Equal sequences of numbers give equal words, others almost surely do not. The same on all platforms.
class shape_hash {
 public:
  template <class Number> constexpr shape_hash& add(Number part) {
    value_ = (value_ ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 32;
    return *this;
  }
  /// Never 0, which can stand for "none".
  constexpr std::uint64_t value() const { return value_ != 0 ? value_ : 1; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace wherry
