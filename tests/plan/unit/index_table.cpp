// Lists of places: what goes in comes out, by parts and by slices, whatever is regular in it; and it takes little room.
#include "wherry/plan/index_table.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "harness/harness.hpp"
#include "support/random.hpp"

namespace {

using wherry::plans::index_table;
using wherry_test::random_numbers;
using places = std::vector<std::int64_t>;

places section(std::int64_t first, std::int64_t points, std::int64_t step, std::int64_t rows, std::int64_t row_step) {
  places all;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < points; ++i) all.push_back(first + r * row_step + i * step);
  return all;
}

/// Regular and irregular stretches, one after the other.
places random_list(random_numbers& random) {
  places all;
  for (int parts = random.between(0, 5); parts > 0; --parts) {
    const auto first = random.between(0, 1000);
    const auto more = random.chance(60) ? section(first, random.between(1, 20), random.between(-3, 5),
                                                  random.between(1, 6), random.between(-50, 50))
                                        : places{};
    all.insert(all.end(), more.begin(), more.end());
    for (int single = random.chance(60) ? random.between(0, 30) : 0; single > 0; --single)
      all.push_back(random.chance(2) ? (std::int64_t{1} << 40) + single : random.between(-500, 1000));
  }
  return all;
}

places slice(const index_table& lists, std::int64_t list, std::int64_t begin, std::int64_t count) {
  places found;
  lists.for_each_place(list, begin, count, [&](std::int64_t place) { found.push_back(place); });
  return found;
}

}  // namespace

WHERRY_UNIT_TEST(lists_come_out_as_they_went_in) {
  random_numbers random(test.seed);
  index_table lists;
  std::vector<places> all;
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 500; ++i) {
    all.push_back(random.chance(10) && !all.empty() ? all[static_cast<std::size_t>(random.between(0, i - 1))]
                                                    : random_list(random));
    numbers.push_back(lists.add(all.back()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& wanted = all[i];
    const auto size = std::ssize(wanted);
    CHECK_EQUAL(lists.count(numbers[i]), size);
    CHECK(slice(lists, numbers[i], 0, size) == wanted);
    if (size > 0) {
      CHECK_EQUAL(lists.lowest(numbers[i]), *std::ranges::min_element(wanted));
      CHECK_EQUAL(lists.highest(numbers[i]), *std::ranges::max_element(wanted));
    }
    for (int k = 0; k < 5; ++k) {
      const auto begin = random.between(0, static_cast<int>(size)), end = random.between(begin, static_cast<int>(size));
      CHECK(slice(lists, numbers[i], begin, end - begin) == places(wanted.begin() + begin, wanted.begin() + end));
    }
    for (std::size_t k = 0; k < i; ++k) CHECK_EQUAL(numbers[k] == numbers[i], all[k] == wanted);
  }
}

WHERRY_UNIT_TEST(what_is_found_in_lists) {
  const auto found = [](const places& list) {
    index_table lists;
    return lists.explain(lists.add(list));
  };
  CHECK_EQUAL(found(section(7, 32, 1, 32, 4096)), "list of 1024: 32 runs of 32 at stride 4096");
  CHECK_EQUAL(found(section(7, 100, 1, 1, 0)), "list of 100: a run of 100");
  CHECK_EQUAL(found(section(700, 100, -2, 1, 0)), "list of 100: 100 at stride -2");
  CHECK_EQUAL(found(section(0, 20, 20, 10, 1)), "list of 200: 10 rows of 20 (stride 20) at stride 1");
  auto face = section(7, 32, 1, 32, 4096);
  face[500] = 3;
  CHECK_EQUAL(found(face),
              "list of 1024: 15 runs of 32 at stride 4096, a run of 20, 12 single places (4 B each), "
              "16 runs of 32 at stride 4096");
  CHECK_EQUAL(found({5, 3, std::int64_t{1} << 33}), "list of 3: 3 single places (8 B each)");
}

// No 8 bytes a place where 4 will do, and none at all for what is regular.
WHERRY_UNIT_TEST(lists_take_little_room) {
  const auto room = [](const places& list) {
    index_table lists;
    lists.add(list);
    lists.settle();
    return lists.memory();
  };
  constexpr std::size_t few = 400, count = 100000;
  CHECK(room(section(0, 1000, 1, 1000, 5000)) < few);
  CHECK(room(section(0, 1000, 3, 1000, -5000)) < few);
  random_numbers random(test.seed);
  places irregular(count);
  for (auto& place : irregular) place = random.between(0, 1 << 30);
  CHECK(room(irregular) < few + 4 * count);
  auto face = section(0, 1000, 1, 1000, 5000);
  face[123456] = 3;
  CHECK(room(face) < 4 * few + 4 * 1000);
}

WHERRY_UNIT_TEST(places_at_the_ends_of_the_numbers) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  index_table lists;
  const places extreme{most, least, 0, most, least};
  CHECK(slice(lists, lists.add(extreme), 0, 5) == extreme);
}
