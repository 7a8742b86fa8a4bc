#include "xxhash3.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wherry {
namespace {

// The specification's primes, under its names.
constexpr std::uint64_t prime32_1 = 0x9E3779B1, prime32_2 = 0x85EBCA77, prime32_3 = 0xC2B2AE3D;
constexpr std::uint64_t prime64_1 = 0x9E3779B185EBCA87, prime64_2 = 0xC2B2AE3D27D4EB4F, prime64_3 = 0x165667B19E3779F9,
                        prime64_4 = 0x85EBCA77C2B2AE63, prime64_5 = 0x27D4EB2F165667C5;
constexpr std::uint64_t prime_mx1 = 0x165667919E3779F9, prime_mx2 = 0x9FB21C651E98DF25;

constexpr std::size_t secret_bytes = 192, stripe = 64, stripes_of_block = (secret_bytes - stripe) / 8;
using secret = std::array<std::byte, secret_bytes>;
using words = std::array<std::uint64_t, secret_bytes / 8>;

constexpr secret as_bytes(const words& from) {
  secret bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(from[i / 8] >> (8 * (i % 8)));
  return bytes;
}

// The default secret, as words.
constexpr words default_words = {0xbe4ba423396cfeb8, 0x1cad21f72c81017c, 0xdb979083e96dd4de, 0x1f67b3b7a4a44072,
                                 0x78e5c0cc4ee679cb, 0x2172ffcc7dd05a82, 0x8e2443f7744608b8, 0x4c263a81e69035e0,
                                 0xcb00c391bb52283c, 0xa32e531b8b65d088, 0x4ef90da297486471, 0xd8acdea946ef1938,
                                 0x3f349ce33f76faa8, 0x1d4f0bc7c7bbdcf9, 0x3159b4cd4be0518a, 0x647378d9c97e9fc8,
                                 0xc3ebd33483acc5ea, 0xeb6313faffa081c5, 0x49daf0b751dd0d17, 0x9e68d429265516d3,
                                 0xfca1477d58be162b, 0xce31d07ad1b8f88f, 0x280416958f3acb45, 0x7e404bbbcafbd7af};
constexpr secret default_secret = as_bytes(default_words);

template <std::unsigned_integral Number> Number swapped(Number value) {
  Number result = 0;
  for (std::size_t k = 0; k < sizeof value; ++k) result = result << 8 | (value >> (8 * k) & 0xFF);
  return result;
}
template <std::unsigned_integral Number> Number little_endian(const std::byte* from) {
  Number value = 0;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? value : swapped(value);
}
std::uint64_t word(const std::byte* from) { return little_endian<std::uint64_t>(from); }
std::uint32_t half(const std::byte* from) { return little_endian<std::uint32_t>(from); }

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t old_avalanche(std::uint64_t value) {
  value = (value ^ value >> 33) * prime64_2;
  value = (value ^ value >> 29) * prime64_3;
  return value ^ value >> 32;
}
std::uint64_t avalanche(std::uint64_t value) {
  value = (value ^ value >> 37) * prime_mx1;
  return value ^ value >> 32;
}

std::uint64_t up_to_3(const std::byte* in, std::size_t n, std::uint64_t seed) {
  const auto one = [in](std::size_t i) { return std::to_integer<std::uint32_t>(in[i]); };
  const std::uint32_t all = one(0) << 16 | one(n >> 1) << 24 | one(n - 1) | static_cast<std::uint32_t>(n) << 8;
  const std::uint64_t flip = (half(&default_secret[0]) ^ half(&default_secret[4])) + seed;
  return old_avalanche(all ^ flip);
}
std::uint64_t up_to_8(const std::byte* in, std::size_t n, std::uint64_t seed) {
  seed ^= std::uint64_t{swapped(static_cast<std::uint32_t>(seed))} << 32;
  const std::uint64_t flip = (word(&default_secret[8]) ^ word(&default_secret[16])) - seed;
  std::uint64_t value = (half(in + n - 4) + (std::uint64_t{half(in)} << 32)) ^ flip;
  value ^= std::rotl(value, 49) ^ std::rotl(value, 24);
  value *= prime_mx2;
  value ^= (value >> 35) + n;
  value *= prime_mx2;
  return value ^ value >> 28;
}
std::uint64_t up_to_16(const std::byte* in, std::size_t n, std::uint64_t seed) {
  const std::uint64_t first = ((word(&default_secret[24]) ^ word(&default_secret[32])) + seed) ^ word(in);
  const std::uint64_t last = ((word(&default_secret[40]) ^ word(&default_secret[48])) - seed) ^ word(in + n - 8);
  return avalanche(n + swapped(first) + last + folded_product(first, last));
}

std::uint64_t mixed(const std::byte* in, std::size_t at_secret, std::uint64_t seed) {
  return folded_product(word(in) ^ (word(&default_secret[at_secret]) + seed),
                        word(in + 8) ^ (word(&default_secret[at_secret + 8]) - seed));
}
std::uint64_t up_to_128(const std::byte* in, std::size_t n, std::uint64_t seed) {
  std::uint64_t sum = n * prime64_1;
  for (std::size_t pair = (n - 1) / 32 + 1; pair-- > 0;)
    sum += mixed(in + 16 * pair, 32 * pair, seed) + mixed(in + n - 16 * (pair + 1), 32 * pair + 16, seed);
  return avalanche(sum);
}
std::uint64_t up_to_240(const std::byte* in, std::size_t n, std::uint64_t seed) {
  std::uint64_t sum = n * prime64_1;
  std::size_t i = 0;
  for (; i < 8; ++i) sum += mixed(in + 16 * i, 16 * i, seed);
  sum = avalanche(sum);
  for (; i < n / 16; ++i) sum += mixed(in + 16 * i, 16 * (i - 8) + 3, seed);
  return avalanche(sum + mixed(in + n - 16, 136 - 17, seed));
}

struct lanes {
  alignas(64) std::uint64_t of[8] = {prime32_3, prime64_1, prime64_2, prime64_3,
                                     prime64_4, prime32_2, prime64_5, prime32_1};
};

void accumulate(lanes& sum, const std::byte* in, const std::byte* key, std::size_t stripes) {
  for (; stripes > 0; --stripes, in += stripe, key += 8)
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint64_t value = word(in + 8 * i), keyed = value ^ word(key + 8 * i);
      sum.of[i ^ 1] += value;
      sum.of[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32);
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void accumulate_avx2(lanes& sum, const std::byte* in, const std::byte* key,
                                             std::size_t stripes) {
  const auto at = [](auto* p) { return reinterpret_cast<const __m256i*>(p); };
  __m256i sums[2] = {_mm256_load_si256(at(&sum.of[0])), _mm256_load_si256(at(&sum.of[4]))};
  for (; stripes > 0; --stripes, in += stripe, key += 8) {
    for (int i = 0; i < 2; ++i) {
      const __m256i value = _mm256_loadu_si256(at(in + 32 * i));
      const __m256i keyed = _mm256_xor_si256(value, _mm256_loadu_si256(at(key + 32 * i)));
      const __m256i product = _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32));
      const __m256i neighbour = _mm256_shuffle_epi32(value, _MM_SHUFFLE(1, 0, 3, 2));
      sums[i] = _mm256_add_epi64(sums[i], _mm256_add_epi64(product, neighbour));
    }
  }
  _mm256_store_si256(reinterpret_cast<__m256i*>(&sum.of[0]), sums[0]);
  _mm256_store_si256(reinterpret_cast<__m256i*>(&sum.of[4]), sums[1]);
}
#endif

using accumulator = void (*)(lanes&, const std::byte*, const std::byte*, std::size_t);
accumulator fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return accumulate_avx2;
#endif
  return accumulate;
}

void scramble(lanes& sum, const std::byte* key) {
  for (std::size_t i = 0; i < 8; ++i) {
    std::uint64_t& lane = sum.of[i];
    lane = (lane ^ lane >> 47 ^ word(key + 8 * i)) * prime32_1;
  }
}

secret seeded(std::uint64_t seed) {
  words changed = default_words;
  for (std::size_t i = 0; i < changed.size(); ++i) changed[i] += i % 2 == 0 ? seed : -seed;
  return as_bytes(changed);
}

std::uint64_t any_length(const std::byte* in, std::size_t n, std::uint64_t seed) {
  static const accumulator add = fastest();
  const secret key = seed == 0 ? default_secret : seeded(seed);
  lanes sum;
  const std::byte* const end = in + n;
  std::size_t stripes = (n - 1) / stripe;
  for (; stripes >= stripes_of_block; stripes -= stripes_of_block, in += stripes_of_block * stripe) {
    add(sum, in, key.data(), stripes_of_block);
    scramble(sum, key.data() + secret_bytes - stripe);
  }
  add(sum, in, key.data(), stripes);
  add(sum, end - stripe, key.data() + secret_bytes - stripe - 7, 1);
  std::uint64_t result = n * prime64_1;
  for (std::size_t i = 0; i < 4; ++i)
    result += folded_product(sum.of[2 * i] ^ word(&key[11 + 16 * i]), sum.of[2 * i + 1] ^ word(&key[19 + 16 * i]));
  return avalanche(result);
}

}  // namespace

std::uint64_t xxhash3(std::span<const std::byte> bytes, std::uint64_t seed) {
  const std::byte* const in = bytes.data();
  const std::size_t n = bytes.size();
  if (n == 0) return old_avalanche(seed ^ word(&default_secret[56]) ^ word(&default_secret[64]));
  if (n <= 3) return up_to_3(in, n, seed);
  if (n <= 8) return up_to_8(in, n, seed);
  if (n <= 16) return up_to_16(in, n, seed);
  if (n <= 128) return up_to_128(in, n, seed);
  if (n <= 240) return up_to_240(in, n, seed);
  return any_length(in, n, seed);
}

}  // namespace wherry
