// What has two owners, or owns itself: an error, where it would be freed twice or copied for ever.
#include <memory>
#include <string>
#include <vector>

#include "wherry/core/settings.hpp"

#include "deep/unit/support.hpp"

using namespace deep_tests;

namespace {

struct chained {
  std::string name = "a link";
  chained *next = nullptr, *down = nullptr;
  template <class Message> void describe(Message& m) {
    m(name);
    m.owned(next);
    m.owned(down);
  }
};

// A way of so many links that leads into a circle of so many.
std::vector<std::unique_ptr<chained>> circle(std::size_t way, std::size_t round) {
  std::vector<std::unique_ptr<chained>> all;
  for (std::size_t i = 0; i < way + round; ++i) all.push_back(std::make_unique<chained>());
  for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i]->next = all[i + 1].get();
  all.back()->next = all[way].get();
  return all;
}

struct checked {
  checked() { wherry::configure("check", "1"); }
  ~checked() { wherry::configure("check", "0"); }
};

constexpr const char* words = "an object is owned twice, or owns itself: use m.owned for the one pointer";

}  // namespace

WHERRY_UNIT_TEST(deep_owners_in_a_circle_are_an_error) {
  for (const std::size_t way : {0u, 1u, 2u, 7u, 1000u})
    for (const std::size_t round : {1u, 2u, 3u, 8u, 1000u}) {
      const auto all = circle(way, round);
      CHECK_THROWS_WITH(packed(*all.front()), words);
      chained* const first = all.front().get();
      CHECK_THROWS_WITH(packed(first), words);
      // Seen from another side: the way down comes first, or last.
      all[way]->down = all[way]->next;
      CHECK_THROWS_WITH(packed(*all.front()), words);
    }
}

WHERRY_UNIT_TEST(deep_two_owners_are_found_when_checked) {
  const checked on;
  chained end, left, right, top;
  left.next = right.next = &end;
  top.next = &left;
  top.down = &right;
  CHECK_THROWS_WITH(packed(top), words);
  right.next = nullptr;
  CHECK(!packed(top).empty());
}

WHERRY_UNIT_TEST(deep_what_owns_itself_is_not_freed_twice_when_checked) {
  const checked on;
  auto* const one = new chained;
  auto* const two = new chained;
  one->next = two;
  two->next = one;
  chained root;
  root.next = one;
  root.down = one;
  CHECK_THROWS_WITH(wherry::deep::destroy(root), words);
  delete one;
  delete two;
}
