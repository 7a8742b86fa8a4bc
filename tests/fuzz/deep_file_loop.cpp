// The fuzzer's cases with mutations of our own, for compilers without a fuzzer; the same seed gives the same files.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wherry/core/error.hpp"

#include "fuzz/deep_file_case.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using namespace wherry_fuzz;

namespace {

using bytes = std::vector<std::byte>;

way way_of_chance(unsigned type, random_numbers& random) {
  return {type, random.chance(85), random.chance(30), random.chance(40), random.chance(70)};
}

/// Puts a number that may be a length or a token somewhere, or changes, moves, cuts or repeats a few bytes.
void mutate(bytes& file, random_numbers& random) {
  constexpr std::size_t begin = 65;  // after the first byte and the header
  if (file.size() <= begin + 8) return;
  const auto place = [&] { return begin + random.next() % (file.size() - begin); };
  const auto offset = [](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
  const auto at = place(), count = std::min<std::size_t>(file.size() - at, random.next() % 64 + 1);
  switch (random.between(0, 5)) {
    case 0:
    case 1: {
      const std::uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       255,
                                       1 << 16,
                                       0x7FFFFFFF,
                                       0x80000000,
                                       ~std::uint64_t{0},
                                       std::uint64_t{1} << 63,
                                       (std::uint64_t{1} << 63) + 1,
                                       random.next() % 4096,
                                       random.next()};
      const auto number = numbers[random.next() % std::size(numbers)];
      const auto width = std::min<std::size_t>(file.size() - at, std::size_t{1} << random.between(0, 3));
      std::memcpy(file.data() + at, &number, width);
      break;
    }
    case 2:
      file[at] ^= static_cast<std::byte>(1 << random.between(0, 7));
      break;
    case 3: {
      const auto to = place();
      std::memmove(file.data() + to, file.data() + at, std::min(count, file.size() - to));
      break;
    }
    case 4:
      file.erase(file.begin() + offset(at), file.begin() + offset(at + count));
      break;
    default:
      file.insert(file.begin() + offset(at), count, static_cast<std::byte>(random.between(0, 255)));
  }
}

}  // namespace

WHERRY_UNIT_TEST(cases_of_the_corpus_are_read) {
  random_numbers random(test.seed);
  for (unsigned type = 0; type < types; ++type)
    for (int round = 0; round < 40; ++round) {
      const auto how = way_of_chance(type, random);
      CHECK(way::of(how.byte()).byte() == how.byte());
      CHECK(run_case(make_case(how, random.next(), random.between(0, 150))));
    }
}

WHERRY_UNIT_TEST(mutated_cases_do_no_harm) {
  random_numbers random(test.seed);
  int read = 0, refused = 0;
  for (unsigned type = 0; type < types; ++type)
    for (int round = 0; round < 40; ++round) {
      const auto good = make_case(way_of_chance(type, random), random.next(), random.one_of({1, 5, 30}));
      for (int k = 0; k < 60; ++k) {
        auto file = good;
        for (int n = random.between(1, 4); n > 0; --n) mutate(file, random);
        ++(run_case(file) ? read : refused);
      }
    }
  test.note(wherry::detail::text(read, " read, ", refused, " refused"));
  CHECK(read > 1000);
  CHECK(refused > 1000);
}
