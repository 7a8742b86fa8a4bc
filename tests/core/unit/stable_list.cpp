// What is in a list is copied once, when it is added, and stays where it is while the list grows.
#include "core/stable_list.hpp"

#include <cstddef>
#include <vector>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

int copies = 0;

struct counted {
  int number;
  explicit counted(int n) : number(n) {}
  counted(const counted& other) : number(other.number) { ++copies; }
  counted& operator=(const counted&) = delete;
};

}  // namespace

WHERRY_UNIT_TEST(elements_stay_where_they_are) {
  random_numbers random(test.seed);
  wherry::stable_list<counted> list;
  for (int round = 0; round < 20; ++round) {
    std::vector<const counted*> where;
    const int count = random.between(0, 3000);
    copies = 0;
    for (int i = 0; i < count; ++i) where.push_back(&list.push_back(counted(i)));
    REQUIRE(copies == count);  // then none has moved, and each may be looked at
    for (int i = 0; i < count; ++i) CHECK_EQUAL(where[static_cast<std::size_t>(i)]->number, i);
    list.clear();
  }
}
