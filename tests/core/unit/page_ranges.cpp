// Ranges of pages against a list of all of them.
#include "core/page_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

WHERRY_UNIT_TEST(page_ranges_hold_what_was_added_and_not_removed) {
  constexpr int places = 40, cases = 60, steps = 40;
  random_numbers random(test.seed);
  for (int i = 0; i < cases; ++i) {
    wherry::page_ranges ranges;
    std::vector<char> there(places);
    for (int step = 0; step < steps; ++step) {
      const int first = random.between(0, places), last = random.between(0, places);
      const bool adds = random.chance(50);
      if (adds)
        ranges.add(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
      else
        ranges.remove(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
      for (int at = first; at < last; ++at) there[static_cast<std::size_t>(at)] = adds;
      for (int from = 0; from <= places; ++from)
        for (int to = from; to <= places; ++to) {
          const bool wanted = std::find(there.begin() + from, there.begin() + to, 0) == there.begin() + to;
          CHECK(ranges.hold(static_cast<std::size_t>(from), static_cast<std::size_t>(to)) == wanted);
        }
    }
  }
}
