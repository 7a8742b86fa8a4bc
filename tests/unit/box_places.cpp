// Where boxes are: images in periodic domains, and the index that finds boxes that touch.
#include <span>

#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/domain.hpp"

#include "point_sets.hpp"

using namespace point_sets;
using wherry_test::random_numbers;

namespace {

template <int N> wherry::domain<N> random_domain(random_numbers& random) {
  wherry::domain<N> space{random_box<N>(random), {}};
  for (auto& each : space.periodic) each = random.chance(60);
  return space;
}

}  // namespace

WHERRY_UNIT_TEST(images_in_periodic_domains) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto space = random_domain<N>(random);
    const auto moving = random_box<N>(random), target = random_box<N>(random);
    // Everything within so many periods that nothing can reach further.
    box<N> shifts{point<N>{}, wherry::filled<N>(1)};
    for (std::size_t d = 0; d < N; ++d)
      if (space.periodic[d] && space.cells.extent(static_cast<int>(d)) > 0) {
        const index_t most = 3 * reach<N> / space.cells.extent(static_cast<int>(d)) + 1;
        shifts.lower[d] = -most;
        shifts.upper[d] = most + 1;
      }
    if (shifts.size() > 100000) return;
    point_set<N> expected;
    for_each_point(shifts, [&](point<N> offset) {
      for (std::size_t d = 0; d < N; ++d) offset[d] *= space.cells.extent(static_cast<int>(d));
      if (intersects(shift<N>(moving, offset), target)) expected.push_back(offset);
    });
    point_set<N> found;
    for_each_image(space, moving, target, [&](const point<N>& offset) { found.push_back(offset); });
    CHECK_EQUAL(found.size(), expected.size());
    CHECK(sorted<N>(found) == sorted<N>(expected));
  });
}

WHERRY_UNIT_TEST(wrapped_points_are_images) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto space = random_domain<N>(random);
    const auto p = random_point<N>(random, -20, 20), q = space.wrapped(p);
    for (std::size_t d = 0; d < N; ++d) {
      const auto extent = space.cells.extent(static_cast<int>(d));
      if (!space.periodic[d] || extent == 0) {
        CHECK_EQUAL(q[d], p[d]);
      } else {
        CHECK(q[d] >= space.cells.lower[d] && q[d] < space.cells.upper[d]);
        CHECK_EQUAL((q[d] - p[d]) % extent, 0);
      }
    }
  });
}

WHERRY_UNIT_TEST(index_finds_what_touches) {
  for_all_dimensions(test, 30, []<int N>(random_numbers& random) {
    std::vector<box<N>> boxes(static_cast<std::size_t>(random.between(0, 40)));
    for (auto& b : boxes) {
      b = random_box<N>(random);
      // Some far away, so that the bins are not all near one another.
      if (random.chance(20)) b = shift<N>(b, random_point<N>(random, -1000, 1000));
    }
    const wherry::box_index<N> index{std::span<const box<N>>(boxes)};
    for (int query = 0; query < 10; ++query) {
      auto near = random_box<N>(random);
      if (random.chance(30)) near = grow(near, random.between(0, 500));
      std::vector<int> expected, found;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (intersects(boxes[i], near)) expected.push_back(static_cast<int>(i));
      index.for_each_touching(near, [&](int place) { found.push_back(place); });
      std::sort(found.begin(), found.end());
      CHECK_EQUAL(found, expected);
    }
  });
}
