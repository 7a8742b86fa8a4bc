#include "support/content.hpp"

#include <cstring>

namespace wherry_test {

numbers content(std::size_t length, int which) {
  numbers all(length);
  for (std::size_t i = 0; i < length; ++i) all[i] = which * 1'000'003 + static_cast<int>(i);
  return all;
}

std::vector<std::byte> distinct_bytes(std::uint64_t seed, std::size_t bytes) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;  // multiplied by it, words differ as they did before
  std::vector<std::byte> all(bytes);
  for (std::size_t at = 0; at < bytes; at += sizeof odd) {
    const std::uint64_t word = ((seed << 32) + at / sizeof odd) * odd;
    std::memcpy(all.data() + at, &word, bytes - at < sizeof odd ? bytes - at : sizeof odd);
  }
  return all;
}

}  // namespace wherry_test
