// The writer's map against one of the standard library, for objects that lie in all ways: dense, far apart, several in
// one granule, dense after sparse and back.
#include "wherry/deep/pointer_map.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::deep::pointer_map;

namespace {

const void* address(std::uint64_t at) { return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(at)); }

/// Objects `pitch` bytes apart, from some place of a gigabyte on, in their order, backwards or in none.
std::vector<std::uint64_t> some_objects(random_numbers& random) {
  const auto pitch =
      static_cast<std::uint64_t>(random.one_of({1, 2, 4, 8, 8, 16, 24, 32, 48, 48, 64, 112, 256, 1000, 4096}));
  const std::uint64_t aligned = random.chance(70) ? 16 : 1;
  const auto begin = 0x7f00'0000'0000 + random.next() % (1 << 30) / aligned * aligned;
  std::vector<std::uint64_t> all;
  for (int i = random.between(1, random.chance(30) ? 20'000 : 3'000); i > 0; --i)
    all.push_back(begin + pitch * static_cast<std::uint64_t>(i));
  if (random.chance(40)) random.shuffle(all);
  return all;
}

}  // namespace

WHERRY_UNIT_TEST(a_pointer_map_knows_what_it_has_met) {
  for (int round = 0; round < 150; ++round) {
    random_numbers random(hash(test.seed, round));
    pointer_map map;
    std::unordered_map<std::uint64_t, std::uint64_t> expected;
    for (int walks = random.between(1, 6); walks > 0; --walks) {
      const auto objects = some_objects(random);
      const bool looks_ahead = random.chance(50);
      const auto mark = random.next() % 0x10000 << (pointer_map::first_free_bit + pointer_map::free_bits);
      for (std::size_t i = 0; i < objects.size(); i += 16) {
        pointer_map::place at[16] = {};
        const auto end = std::min(objects.size(), i + 16);
        for (auto k = i; looks_ahead && k < end; ++k) at[k - i] = map.prefetch(address(objects[k]));
        for (auto k = i; k < end; ++k) {
          const auto fresh = expected.size() | mark;
          const auto found = map.find_or_insert_at(at[k - i], address(objects[k]), fresh);
          if (fault(expected.try_emplace(objects[k], fresh).first->second != found))
            FAIL("another number in round " + std::to_string(round));
        }
      }
    }
    CHECK_EQUAL(map.size(), expected.size());
    for (const auto& [at, number] : expected) CHECK_EQUAL(map.find_or_insert(address(at), 7), number);
    CHECK_EQUAL(map.size(), expected.size());
  }
}

// Who shares an array of no objects may give any address that is not null.
WHERRY_UNIT_TEST(a_pointer_map_takes_any_address) {
  pointer_map map;
  const std::vector<std::uint64_t> odd{1, 8, 1008, 1023, 1024, ~std::uint64_t{0}, ~std::uint64_t{0} - 1023};
  const auto find_all = [&] {
    for (std::size_t i = 0; i < odd.size(); ++i) CHECK_EQUAL(map.find_or_insert(address(odd[i]), i), i);
  };
  find_all();
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    map.find_or_insert(address(0x5555'0000'0000 + 48 * i), 100 + i);
    if (i % 100 == 0) find_all();
  }
  CHECK_EQUAL(map.size(), 10'000 + odd.size());
}

// A table alone takes 26 to 51 bytes an object.
WHERRY_UNIT_TEST(a_pointer_map_takes_little_memory_however_objects_lie) {
  for (const std::uint64_t pitch : {1, 8, 16, 48, 112, 256, 500, 1024, 4096, 65536}) {
    pointer_map map;
    const std::uint64_t count = 100'000;
    for (std::uint64_t i = 0; i < count; ++i) map.find_or_insert(address(0x5555'0000'0000 + pitch * i), i);
    CHECK(map.bytes() <= (pitch < 64 || pitch > 128 ? 60 : 120) * count);
  }
}
