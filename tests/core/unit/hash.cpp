// The one hash: any of its bits may be cut off, and figures on which ranks disagree give other words.
#include "wherry/core/hash.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/terms.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::detail::hashed;

WHERRY_UNIT_TEST(every_bit_of_a_word_shows_in_the_low_half) {
  random_numbers random(test.seed);
  for (int round = 0; round < 100; ++round) {
    const auto before = random.next(), word = random.next();
    for (int bit = 0; bit < 64; ++bit) {
      const auto other = word ^ std::uint64_t{1} << bit;
      CHECK(hashed(before, word) != hashed(before, other));
      CHECK(static_cast<std::uint32_t>(hashed(before, word)) != static_cast<std::uint32_t>(hashed(before, other)));
    }
  }
}

// A sequence is not its beginning, nor another one with other ends of words; leading zeros count.
WHERRY_UNIT_TEST(sequences_have_words_of_their_own) {
  using wherry::shape_hash;
  using namespace std::string_view_literals;
  const std::set<std::uint64_t> words{
      shape_hash().value(),
      shape_hash().add(0).value(),
      shape_hash().add(0).add(0).value(),
      shape_hash().add(1).add(2).value(),
      shape_hash().add(2).add(1).value(),
      shape_hash().add("ab"sv).add("c"sv).value(),
      shape_hash().add("a"sv).add("bc"sv).value(),
      shape_hash().add("abc"sv).value(),
  };
  CHECK_EQUAL(words.size(), 8u);
  static_assert(wherry::detail::name_hash("a") != wherry::detail::name_hash("b"));
}

// Keys that follow one another fill a table evenly: what it is looked up by is the low bits.
WHERRY_UNIT_TEST(neighbours_are_spread) {
  for (const int shift : {0, 3, 12, 32, 48}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t key = 0; key < 1024; ++key) places.insert(hashed(0, key << shift) & 1023);
    CHECK(places.size() > 512);  // chance would fill 647
  }
}

WHERRY_UNIT_TEST(terms_see_large_figures) {
  const auto word_of = [](std::int64_t bytes) { return wherry::terms([=](auto& say) { say(bytes, "bytes"); }).word(); };
  std::set<std::uint32_t> words;
  for (int bit = 0; bit < 63; ++bit) words.insert(word_of(std::int64_t{1} << bit));
  CHECK_EQUAL(words.size(), 63u);
}
