// Makes a partial floor plan from the boxes that a rank knows.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// @param known boxes with a `number`, an `owner` and `cells`, in any order; among equal numbers the first one counts
template <int N, class Known> floor_plan<N> partial_floor_plan(int total, std::vector<Known> known) {
  std::stable_sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  const auto same = [](const auto& a, const auto& b) { return a.number == b.number; };
  known.erase(std::unique(known.begin(), known.end(), same), known.end());
  std::vector<int> numbers;
  std::vector<box<N>> boxes;
  owner_map owners;
  for (const auto& b : known) {
    numbers.push_back(b.number);
    boxes.push_back(b.cells);
    owners.push_back(b.owner);
  }
  return {total, std::move(numbers), std::move(boxes), std::move(owners)};
}

}  // namespace wherry
