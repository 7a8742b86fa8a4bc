/// @file
/// The order in which the contenders take their turns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace bench {

/// Returns a new order for each round, the same on all ranks, so that the caches after one contender do not always meet
/// the same next one.
class shuffled {
 public:
  explicit shuffled(std::size_t count) : order_(count) { std::iota(order_.begin(), order_.end(), std::size_t{0}); }

  const std::vector<std::size_t>& next_round() {
    std::shuffle(order_.begin(), order_.end(), random_);
    return order_;
  }

 private:
  std::vector<std::size_t> order_;
  std::mt19937 random_{1};
};

}  // namespace bench
