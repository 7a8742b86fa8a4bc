#include "xxhash64.hpp"

#include <bit>
#include <concepts>
#include <cstring>

namespace wherry {
namespace {

// The specification's five primes, under its numbers.
constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F, prime3 = 0x165667B19E3779F9,
                        prime4 = 0x85EBCA77C2B2AE63, prime5 = 0x27D4EB2F165667C5;

template <std::unsigned_integral Number> Number little_endian(const std::byte* from) {
  Number value = 0;
  std::memcpy(&value, from, sizeof value);
  if constexpr (std::endian::native == std::endian::little) return value;
  Number swapped = 0;
  for (std::size_t k = 0; k < sizeof value; ++k) swapped = swapped << 8 | (value >> (8 * k) & 0xFF);
  return swapped;
}

constexpr std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * prime2, 31) * prime1;
}

constexpr std::uint64_t merge(std::uint64_t value, std::uint64_t lane) {
  return (value ^ round(0, lane)) * prime1 + prime4;
}

/// Four lanes, which a processor works on at the same time, over whole stripes of 32 bytes.
std::uint64_t stripes(const std::byte*& at, std::size_t& left, std::uint64_t seed) {
  std::uint64_t a = seed + prime1 + prime2, b = seed + prime2, c = seed, d = seed - prime1;
  for (; left >= 32; left -= 32, at += 32) {
    a = round(a, little_endian<std::uint64_t>(at));
    b = round(b, little_endian<std::uint64_t>(at + 8));
    c = round(c, little_endian<std::uint64_t>(at + 16));
    d = round(d, little_endian<std::uint64_t>(at + 24));
  }
  const auto sum = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
  return merge(merge(merge(merge(sum, a), b), c), d);
}

constexpr std::uint64_t avalanche(std::uint64_t value) {
  value = (value ^ value >> 33) * prime2;
  value = (value ^ value >> 29) * prime3;
  return value ^ value >> 32;
}

}  // namespace

std::uint64_t xxhash64(std::span<const std::byte> bytes, std::uint64_t seed) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t value = left >= 32 ? stripes(at, left, seed) : seed + prime5;
  value += bytes.size();
  for (; left >= 8; left -= 8, at += 8)
    value = std::rotl(value ^ round(0, little_endian<std::uint64_t>(at)), 27) * prime1 + prime4;
  for (; left >= 4; left -= 4, at += 4)
    value = std::rotl(value ^ little_endian<std::uint32_t>(at) * prime1, 23) * prime2 + prime3;
  for (; left > 0; --left, ++at) value = std::rotl(value ^ std::to_integer<std::uint64_t>(*at) * prime5, 11) * prime1;
  return avalanche(value);
}

}  // namespace wherry
