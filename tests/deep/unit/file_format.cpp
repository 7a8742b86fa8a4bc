// The checksum against its author's figures, and the format of the files of deep objects byte by byte.
#include <sstream>

#include "deep/unit/file_bytes.hpp"

#if defined(WHERRY_TEST_XXHASH)
#include <xxhash.h>
#endif

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

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
  const auto buffer = random_bytes(random, 1 << 20);
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

WHERRY_UNIT_TEST(format_is_as_described) {
  namespace format = deep_format;
  random_numbers random(test.seed);
  for (const std::size_t size : {0, 1, 4096, 5000, 12288, 20000}) {
    const auto what = random_bytes(random, size);
    const own_folder place;
    deep::detail::write_file(place / "x", 4711, {.buffer_bytes = 4096, .sync = false}, packing(what, random.next()));
    const auto file = place.read("x");
    const auto frames = (size + 4095) / 4096;
    CHECK_EQUAL(file.size(), 64 + size + 16 * frames + 24);
    const unsigned char magic[] = {0x93, 'W', 'D', 'E', 'E', '\r', '\n', 0x1A};
    CHECK(std::memcmp(file.data(), magic, 8) == 0);
    CHECK_EQUAL(format::get(file, format::version), 2);
    CHECK_EQUAL(format::get(file, format::order), 1);
    CHECK_EQUAL(format::get(file, format::type), 4711);
    CHECK_EQUAL(format::get(file, format::payload), size);
    CHECK_EQUAL(format::get(file, format::frame), 4096);
    const auto heads = format::heads_of(file);
    CHECK_EQUAL(heads.size(), frames + 1);
    bytes put_together;
    for (std::size_t k = 0; k < frames; ++k) {
      const auto head = format::get(file, heads[k]);
      CHECK_EQUAL(head >> 32, 1);
      CHECK_EQUAL(head & 0xFFFFFFFF, std::min<std::size_t>(4096, size - 4096 * k));
      const auto* first = file.data() + heads[k] + format::head;
      put_together.insert(put_together.end(), first, first + (head & 0xFFFFFFFF));
    }
    CHECK(put_together == what);
    CHECK_EQUAL(format::get(file, heads.back()), std::uint64_t{2} << 32 | 8);
    CHECK_EQUAL(format::get(file, heads.back() + format::head), size);
    auto signed_again = file;
    format::sign(signed_again);
    CHECK(signed_again == file);
  }
}

// So that checkpoints of the same state can be compared.
WHERRY_UNIT_TEST(the_same_object_is_the_same_file) {
  random_numbers random(test.seed);
  const auto what = random_bytes(random, 700'000);
  const own_folder place;
  deep::detail::write_file(place / "one", 1, {.sync = false}, packing(what, 1));
  deep::detail::write_file(place / "two", 1, {.sync = true}, packing(what, 2));
  deep::detail::write_file(place / "three", 1, {.buffered = true}, packing(what, 3));
  CHECK(place.read("one") == place.read("two"));
  CHECK(place.read("one") == place.read("three"));
  std::ostringstream stream;
  deep::detail::write_file(stream, 1, {.buffered = true}, packing(what, 4));
  const auto file = place.read("one");
  CHECK(stream.str() == std::string(reinterpret_cast<const char*>(file.data()), file.size()));
}
