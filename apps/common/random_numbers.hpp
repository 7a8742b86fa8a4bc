/// @file
/// The random numbers of the NAS benchmarks: x' = 5^13 x mod 2^46, from 314159265.
#pragma once

#include <cstdint>
#include <span>

namespace apps {

/// The sequence from any place on, so that each rank computes only the numbers of its own cells.
class random_numbers {
 public:
  /// Sets the place in the sequence: the next number drawn is number `place`, counted from 0.
  explicit random_numbers(std::uint64_t place) : state_(times(seed, power(multiplier, place))) {}

  /// Draws a number between 0 and 1, both excluded.
  double next() {
    state_ = times(state_, multiplier);
    return static_cast<double>(state_) * 0x1p-46;
  }

  /// Fills the range with numbers. Several stretches of the sequence advance side by side, because each number must
  /// wait for the one before it in the sequence.
  void fill(std::span<double> numbers) {
    std::size_t i = 0;
    if (numbers.size() >= lanes) {
      std::uint64_t lane[lanes];
      for (auto& state : lane) state = state_ = times(state_, multiplier);
      const std::uint64_t step = power(multiplier, lanes);
      for (; i + lanes <= numbers.size(); i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
          numbers[i + k] = static_cast<double>(static_cast<std::int64_t>(lane[k])) * 0x1p-46;
          state_ = lane[k];
          lane[k] = times(lane[k], step);
        }
    }
    for (; i < numbers.size(); ++i) numbers[i] = next();
  }

 private:
  static constexpr std::size_t lanes = 8;
  static constexpr std::uint64_t multiplier = 1220703125;  // 5^13
  static constexpr std::uint64_t seed = 314159265;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 46) - 1;

  /// The product modulo 2^46. The bits that overflow 64 bits are a multiple of 2^46.
  static std::uint64_t times(std::uint64_t a, std::uint64_t b) { return (a * b) & mask; }

  static std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = times(base, base))
      if (exponent & 1) result = times(result, base);
    return result;
  }

  std::uint64_t state_;
};

}  // namespace apps
