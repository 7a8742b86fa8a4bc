#include "checksum.hpp"

#include <array>

namespace wherry {
namespace {

using crc_table = std::array<std::uint64_t, 256>;

/// `tables[k][b]`: what byte b adds when k more bytes follow it in the same step.
constexpr std::array<crc_table, 8> make_tables() {
  std::array<crc_table, 8> tables{};
  for (std::uint64_t b = 0; b < 256; ++b) {
    std::uint64_t value = b;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xC96C5795D7870F42u : 0u);
    tables[0][b] = value;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = tables[0][tables[k - 1][b] & 0xFF] ^ (tables[k - 1][b] >> 8);
  return tables;
}

constexpr auto tables = make_tables();

/// Little endian on every machine; compilers make one load of it.
std::uint64_t eight_bytes(const std::byte* from) {
  std::uint64_t value = 0;
  for (int k = 7; k >= 0; --k) value = value << 8 | std::to_integer<std::uint64_t>(from[k]);
  return value;
}

}  // namespace

std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before) {
  std::uint64_t value = ~before;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    value ^= eight_bytes(at);
    value = tables[7][value & 0xFF] ^ tables[6][value >> 8 & 0xFF] ^ tables[5][value >> 16 & 0xFF] ^
            tables[4][value >> 24 & 0xFF] ^ tables[3][value >> 32 & 0xFF] ^ tables[2][value >> 40 & 0xFF] ^
            tables[1][value >> 48 & 0xFF] ^ tables[0][value >> 56];
  }
  for (; left > 0; --left, ++at) value = tables[0][(value ^ std::to_integer<std::uint64_t>(*at)) & 0xFF] ^ value >> 8;
  return ~value;
}

}  // namespace wherry
