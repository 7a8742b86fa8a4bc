// The checksum of all files against its author's figures and, where that is installed, against his library.
#include "core/xxhash3.hpp"

#include <cstdint>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

#if defined(WHERRY_TEST_XXHASH)
#include <xxhash.h>
#endif

using namespace wherry_test;

namespace {

using bytes = std::vector<std::byte>;

/// The buffer that the author's sanity checks run over.
bytes authors_buffer(std::size_t count) {
  bytes result(count);
  std::uint64_t state = 2654435761u;
  for (auto& b : result) {
    b = static_cast<std::byte>(state >> 56);
    state *= 11400714785074694797u;
  }
  return result;
}

}  // namespace

WHERRY_UNIT_TEST(checksums_are_the_published_ones) {
  const auto buffer = authors_buffer(2048);
  struct {
    std::size_t length;
    std::uint64_t plain, seeded;
  } const published[] = {{0, 0x2D06800538D394C2, 0xA8A6B918B2F0364A},   {1, 0xC44BDFF4074EECDB, 0x032BE332DD766EF8},
                         {6, 0x27B56A84CD2D7325, 0x84589C116AB59AB9},   {12, 0xA713DAF0DFBB77E7, 0xE7303E1B2336DE0E},
                         {24, 0xA3FE70BF9D3510EB, 0x850E80FC35BDD690},  {48, 0x397DA259ECBA1F11, 0xADC2CBAA44ACC616},
                         {80, 0xBCDEFBBB2C47C90A, 0xC6DD0CB699532E73},  {195, 0xCD94217EE362EC3A, 0xBA68003D370CB3D9},
                         {403, 0xCDEB804D65C6DEA4, 0x6259F6ECFD6443FD}, {512, 0x617E49599013CB6B, 0x3CE457DE14C27708},
                         {2048, 0xDD59E2C3A5F038E0, 0x66F81670669ABABC}};
  for (const auto& [length, plain, seeded] : published) {
    CHECK_EQUAL(wherry::xxhash3(std::span(buffer).first(length)), plain);
    CHECK_EQUAL(wherry::xxhash3(std::span(buffer).first(length), 11400714785074694797u), seeded);
  }
}

WHERRY_UNIT_TEST(checksums_are_those_of_the_library) {
#if defined(WHERRY_TEST_XXHASH)
  random_numbers random(test.seed);
  bytes buffer(1 << 20);
  for (auto& b : buffer) b = static_cast<std::byte>(random.next());
  const auto must_agree = [&](std::size_t length, std::uint64_t seed) {
    const auto part = std::span(buffer).subspan(random.next() % 96, length);
    CHECK_EQUAL(wherry::xxhash3(part, seed), XXH3_64bits_withSeed(part.data(), part.size(), seed));
  };
  for (std::size_t length = 0; length < 4000; ++length) must_agree(length, length % 3 == 0 ? 0 : random.next());
  for (int i = 0; i < 20; ++i) must_agree(random.next() % 1'000'000, random.next());
#else
  test.skip("libxxhash is not installed");
#endif
}
