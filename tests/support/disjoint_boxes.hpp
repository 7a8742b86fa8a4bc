// Boxes that have no point in common.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/geometry/box.hpp"

#include "support/random.hpp"

namespace wherry_test {

// Cuts one of the boxes in two, so many times; none becomes empty.
template <int N> void cut_at_random(random_numbers& random, std::vector<wherry::box<N>>& boxes, long times) {
  for (long i = 0; i < times; ++i) {
    auto& one = boxes[static_cast<std::size_t>(random.between(0, static_cast<int>(boxes.size()) - 1))];
    const auto d = static_cast<std::size_t>(random.between(0, N - 1));
    if (one.extent(static_cast<int>(d)) < 2) continue;
    auto upper = one;
    upper.lower[d] = one.upper[d] =
        random.between(static_cast<int>(one.lower[d]) + 1, static_cast<int>(one.upper[d]) - 1);
    boxes.push_back(upper);
  }
}

}  // namespace wherry_test
