/// @file
/// The random numbers of the NAS benchmarks: x' = 5^13 x mod 2^46, from 314159265.
#pragma once

#include <cstdint>

namespace nas_mg {

/// The sequence, from any place of it on: each rank computes only the numbers of its own cells.
class random_numbers {
 public:
  /// The next number drawn is the sequence's number `place`, counted from 0.
  explicit random_numbers(std::uint64_t place) : state_(times(seed, power(multiplier, place))) {}

  /// From 0 to 1, exclusive.
  double next() {
    state_ = times(state_, multiplier);
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  static constexpr std::uint64_t multiplier = 1220703125;  // 5^13
  static constexpr std::uint64_t seed = 314159265;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;

  /// Modulo 2^46; what overflows 64 bits is a multiple of it.
  static std::uint64_t times(std::uint64_t a, std::uint64_t b) { return (a * b) & mask; }

  static std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = times(base, base))
      if (exponent & 1) result = times(result, base);
    return result;
  }

  std::uint64_t state_;
};

}  // namespace nas_mg
