// Where boxes are: images in periodic domains, and the index that finds boxes that touch.
#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "wherry/geometry/box_index.hpp"
#include "wherry/geometry/domain.hpp"

#include "geometry/unit/point_sets.hpp"

using namespace point_sets;
using wherry_test::random_numbers;

namespace {

template <int N> wherry::domain<N> random_domain(random_numbers& random) {
  wherry::domain<N> space{random_box<N>(random), {}};
  for (auto& each : space.periodic) each = random.chance(60);
  return space;
}

// Every shift by whole periods of at most `distance` cells and one period in each dimension; none where they are more
// than `most`.
template <int N>
std::vector<point<N>> shifts_that_matter(const wherry::domain<N>& space, index_t distance, index_t most) {
  box<N> periods{point<N>{}, wherry::filled<N>(1)};
  for (std::size_t d = 0; d < N; ++d)
    if (const auto extent = space.cells.extent(static_cast<int>(d)); space.periodic[d] && extent > 0) {
      periods.lower[d] = -(distance / extent + 1);
      periods.upper[d] = distance / extent + 2;
    }
  std::vector<point<N>> shifts;
  if (periods.size() > most) return shifts;
  for_each_point(periods, [&](point<N> offset) {
    for (std::size_t d = 0; d < N; ++d) offset[d] *= space.cells.extent(static_cast<int>(d));
    shifts.push_back(offset);
  });
  return shifts;
}

// Small ones and some large ones, some of them far away.
template <int N> std::vector<box<N>> boxes_of_all_sizes(random_numbers& random, int most, index_t far) {
  std::vector<box<N>> boxes(static_cast<std::size_t>(random.between(0, most)));
  for (auto& b : boxes) {
    b = random_box<N>(random);
    if (random.chance(10)) b = grow(b, random.between(1, 2 * reach<N>));
    if (far > 0 && random.chance(20)) {
      auto offset = random_point<N>(random, -100, 100);
      for (auto& x : offset) x *= far;
      b = shift<N>(b, offset);
    }
  }
  return boxes;
}

}  // namespace

WHERRY_UNIT_TEST(images_in_periodic_domains) {
  for_all_dimensions(test, 40, []<int N>(random_numbers& random) {
    const auto space = random_domain<N>(random);
    const auto moving = random_box<N>(random), target = random_box<N>(random);
    const auto shifts = shifts_that_matter(space, 3 * reach<N>, 10000);
    if (shifts.empty()) return;
    point_set<N> expected;
    for (const auto& offset : shifts)
      if (intersects(shift<N>(moving, offset), target)) expected.push_back(offset);
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
    const auto boxes = boxes_of_all_sizes<N>(random, 40, random.one_of({0, 10, 1'000'000'000}));
    const wherry::box_index<N> index{std::span<const box<N>>(boxes)};
    for (int query = 0; query < 10; ++query) {
      auto near = random_box<N>(random);
      if (random.chance(30)) near = grow(near, random.between(0, 500));
      if (random.chance(10)) near = grow(near, index_t{1} << 40);
      std::vector<int> expected, found;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (intersects(boxes[i], near)) expected.push_back(static_cast<int>(i));
      index.for_each_touching(near, [&](int place) { found.push_back(place); });
      std::sort(found.begin(), found.end());
      CHECK_EQUAL(found, expected);
    }
  });
}

// All pairs, all shifts.
WHERRY_UNIT_TEST(index_finds_pairs_around_periodic_edges) {
  for_all_dimensions(test, 15, []<int N>(random_numbers& random) {
    const auto boxes = boxes_of_all_sizes<N>(random, N <= 3 ? 30 : 8, 0);
    const auto space = random_domain<N>(random);
    const wherry::halo_widths<N> widths(random_point<N>(random, 0, 2), random_point<N>(random, 0, 2));
    const auto shifts = shifts_that_matter(space, 8 * reach<N> + 4, 3000);
    if (shifts.empty()) return;
    using pair = std::tuple<int, int, point<N>>;
    std::vector<pair> expected, found;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto near = grow<N>(boxes[i], widths.minus, widths.plus);
      std::vector<std::pair<int, point<N>>> around;
      for (std::size_t j = 0; j < boxes.size(); ++j)
        for (const auto& offset : shifts)
          if (intersects(shift<N>(boxes[j], offset), near)) {
            around.emplace_back(static_cast<int>(j), offset);
            if (i != j || offset != point<N>{}) expected.emplace_back(static_cast<int>(i), static_cast<int>(j), offset);
          }
      std::vector<std::pair<int, point<N>>> seen;
      const wherry::box_index<N> index{std::span<const box<N>>(boxes)};
      index.for_each_touching(near, space, [&](int j, const point<N>& offset) { seen.emplace_back(j, offset); });
      std::sort(seen.begin(), seen.end());
      std::sort(around.begin(), around.end());
      CHECK(seen == around);
    }
    const wherry::box_index<N> index{std::span<const box<N>>(boxes)};
    index.for_each_touching_pair(widths, space,
                                 [&](int i, int j, const point<N>& offset) { found.emplace_back(i, j, offset); });
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK_EQUAL(found.size(), expected.size());
    CHECK(found == expected);
  });
}
