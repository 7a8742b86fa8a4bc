// Places as they were given, however they are kept, and the sections that they are.
#include "wherry/motion/section_places.hpp"

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include "harness/harness.hpp"
#include "motion/regular_runs.hpp"
#include "support/random.hpp"

using wherry::index_t;
using wherry::detail::section_places;
using places = std::vector<index_t>;

namespace {

places all_of(const section_places& list) {
  places all;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (index_t k = 0; k < list[i].count; ++k) all.push_back(list[i].first + k);
  return all;
}

/// Runs of random lengths, often of one.
places some_places(wherry_test::random_numbers& random) {
  places all;
  const auto most = random.between(1, 6);
  for (auto runs = random.between(0, 30); runs > 0; --runs) {
    const auto first = random.between(0, 200);
    for (auto k = random.between(1, most); k > 0; --k) all.push_back(first + k);
  }
  return all;
}

places visited(const std::vector<wherry::plans::block_loop>& loops, index_t first) {
  places all{first};
  for (const auto& loop : loops) {
    const auto before = all;
    all.clear();
    for (index_t i = 0; i < loop.extent; ++i)
      for (const auto place : before) all.push_back(place + i * loop.stride);
  }
  return all;
}

/// The loops visit the places, what is a run is the innermost of them, and rows share no places.
bool is_right(const std::optional<std::vector<wherry::plans::block_loop>>& loops, const places& given) {
  if (!loops || given.empty()) return true;
  const auto run = loops->front().extent;
  const bool good = loops->size() == 1 || ((*loops)[1].stride != 1 && std::abs((*loops)[1].stride) >= run);
  return good && visited(*loops, given.front()) == given;
}

}  // namespace

WHERRY_UNIT_TEST(section_places_have_the_places_that_they_were_given) {
  wherry_test::random_numbers random(test.seed);
  for (int i = 0; i < 2000; ++i) {
    const auto given = some_places(random);
    const auto list = section_places::of(given);
    CHECK(all_of(list) == given);
    const auto size = std::ssize(given);
    const auto begin = static_cast<index_t>(random.between(0, static_cast<int>(size)));
    const auto end = static_cast<index_t>(random.between(static_cast<int>(begin), static_cast<int>(size)));
    const places given_part(given.begin() + begin, given.begin() + end);
    CHECK(all_of(list.part(begin, end)) == given_part);
    CHECK(is_right(wherry::regular_loops(list), given));
    CHECK(is_right(wherry::regular_loops(list.part(begin, end)), given_part));
  }
}

WHERRY_UNIT_TEST(section_places_take_the_shorter_form) {
  const places single{4, 2, 9}, run{4, 5, 6, 7, 1};
  CHECK(section_places::of(single).single().data() == single.data());
  CHECK(section_places::of(run).single().empty());
  CHECK(section_places::of(run).size() == 2);
  CHECK(section_places::of({}).empty());
  const places strided{1, 4, 7, 10};
  const auto loops = wherry::regular_loops(section_places::of(strided));
  CHECK(loops && loops->size() == 2 && loops->back().stride == 3);
}
