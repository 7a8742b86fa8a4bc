// Numbers in our files: eight bytes, little endian on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wherry {

inline void put_number(std::byte* to, std::uint64_t value) {
  for (int k = 0; k < 8; ++k) to[k] = static_cast<std::byte>(value >> (8 * k) & 0xFF);
}

inline std::uint64_t get_number(const std::byte* from) {
  std::uint64_t value = 0;
  for (int k = 7; k >= 0; --k) value = value << 8 | std::to_integer<std::uint64_t>(from[k]);
  return value;
}

}  // namespace wherry
