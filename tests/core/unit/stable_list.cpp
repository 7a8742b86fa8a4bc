// What is in a list stays where it is while the list grows.
#include "core/stable_list.hpp"

#include <cstddef>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

WHERRY_UNIT_TEST(elements_stay_where_they_are) {
  random_numbers random(test.seed);
  wherry::stable_list<int> list;
  for (int round = 0; round < 20; ++round) {
    std::vector<const int*> where;
    const int count = random.between(0, 3000);
    for (int i = 0; i < count; ++i) where.push_back(&list.push_back(i));
    for (int i = 0; i < count; ++i) CHECK_EQUAL(*where[static_cast<std::size_t>(i)], i);
    list.clear();
  }
}
