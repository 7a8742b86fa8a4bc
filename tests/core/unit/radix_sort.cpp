// Sorted by digits as by comparing.
#include "core/radix_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

WHERRY_UNIT_TEST(sorted_by_digits_as_by_comparing) {
  struct thing {
    std::uint64_t key;
    int number;
    bool operator==(const thing&) const = default;
  };
  random_numbers random(test.seed);
  for (int i = 0; i < 200; ++i) {
    // Few bits, many bits, high ones alone; equal ones among them.
    const int bits = random.between(1, 64), up = random.between(0, 64 - bits);
    const auto constant = random.next();
    std::vector<thing> list(static_cast<std::size_t>(random.between(0, 2000)));
    for (auto& one : list) {
      const std::uint64_t drawn = random.next() >> (64 - bits);
      one = {constant ^ drawn << up, static_cast<int>(&one - list.data())};
    }
    auto wanted = list;
    std::stable_sort(wanted.begin(), wanted.end(), [](const thing& a, const thing& b) { return a.key < b.key; });
    wherry::radix_sort(list, [](const thing& one) { return one.key; });
    CHECK(list == wanted);
  }
}
