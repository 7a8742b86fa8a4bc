// Random showings of random sizes, against a list of those that are still needed: no two lie over each other, and what
// fits beside them has room.
#include "channel/board_ring.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

constexpr std::size_t depth = 16;
constexpr std::int64_t capacity = 4096;

struct showing {
  std::uint64_t id;
  std::size_t place;
  std::int64_t at, bytes;
};

bool overlap(const showing& a, const showing& b) {
  return a.bytes > 0 && b.bytes > 0 && a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

}  // namespace

WHERRY_UNIT_TEST(what_is_shown_stays_until_it_is_needed_no_more) {
  random_numbers random(test.seed);
  wherry::board_ring<depth> ring(capacity);
  std::deque<showing> needed;
  std::uint64_t id = 0, waits = 0;
  for (int round = 0; round < 100'000; ++round) {
    const auto bytes =
        static_cast<std::int64_t>(random.one_of({0, 1, 64, 100, 1000, 1024})) * random.one_of({1, 1, 1, 4});
    const auto place = (id + static_cast<std::uint64_t>(random.between(0, 2))) % depth;  // some are another one's
    while (!ring.is_free(place) || !ring.room(std::min(bytes, capacity))) {
      ++waits;
      REQUIRE(!needed.empty());  // else it waits for ever
      const auto finished = needed[static_cast<std::size_t>(random.between(0, static_cast<int>(needed.size()) - 1))].id;
      while (!needed.empty() && needed.front().id <= finished) needed.pop_front();
      ring.free_up_to(finished);
    }
    const showing now{++id, place, bytes > 0 ? *ring.room(std::min(bytes, capacity)) : 0, std::min(bytes, capacity)};
    ring.take(place, now.id, now.bytes);
    CHECK(now.at >= 0 && now.at + now.bytes <= capacity);
    CHECK_EQUAL(now.at % 64, 0);
    for (const auto& one : needed) {
      CHECK(one.place != now.place);
      CHECK(!overlap(one, now));
    }
    needed.push_back(now);
    CHECK_EQUAL(ring.newest(), id);
  }
  CHECK(waits > 1000u);
}

WHERRY_UNIT_TEST(memory_is_used_again_as_soon_as_all_of_it_is_free) {
  wherry::board_ring<depth> ring(capacity);
  for (std::uint64_t id = 1; id <= 100; ++id) {
    CHECK_EQUAL(*ring.room(1000), 0);
    ring.take(id % depth, id, 1000);
    ring.free_up_to(id);
  }
}

WHERRY_UNIT_TEST(what_lies_in_memory_that_was_left_is_waited_for) {
  wherry::board_ring<depth> ring(1024);
  ring.take(0, 1, 1000);
  CHECK(!ring.room(100).has_value());
  ring.move_to(capacity);
  CHECK_EQUAL(ring.capacity(), capacity);
  CHECK(!ring.is_free(0));
  CHECK_EQUAL(*ring.room(capacity), 0);
  ring.take(1, 2, 4000);
  CHECK(!ring.room(100).has_value());
  ring.free_up_to(1);
  CHECK(ring.is_free(0));
  CHECK(!ring.is_free(1));
  CHECK(!ring.room(100).has_value());
  ring.free_up_to(2);
  CHECK_EQUAL(*ring.room(capacity), 0);
}
