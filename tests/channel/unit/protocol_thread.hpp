// Two threads over plain memory run a protocol of the library: one word of random delay between any two steps, each
// byte against an oracle. Under ./run test --preset tsan the sanitizer sees every access.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace protocol_test {

/// Now and then somebody else runs first.
class disturbance {
 public:
  explicit disturbance(std::uint64_t seed) : random_(seed) {}
  void operator()() {
    const auto drawn = random_() % 64;
    if (drawn < 8) std::this_thread::yield();
    if (drawn == 63) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 50));
  }
  std::uint64_t draw(std::uint64_t below) { return random_() % below; }

 private:
  std::mt19937_64 random_;
};

/// What byte `place` of start `start` is.
inline std::byte byte_of(std::uint64_t start, std::size_t place) {
  return static_cast<std::byte>((start * 0x9E3779B97F4A7C15u + place * 0xC2B2AE3D27D4EB4Fu) >> 56);
}

inline void fill(std::byte* to, std::size_t bytes, std::uint64_t start) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = byte_of(start, i);
}

inline std::size_t wrong_bytes(const std::byte* from, std::size_t bytes, std::uint64_t start) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bytes; ++i) wrong += from[i] != byte_of(start, i) ? 1 : 0;
  return wrong;
}

}  // namespace protocol_test
