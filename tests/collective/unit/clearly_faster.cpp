// The rule by which a tuner prefers another implementation to MPI's own, with times that are made up.
#include <cstddef>
#include <vector>

#include "wherry/collective/tuning.hpp"

#include "harness/harness.hpp"

WHERRY_UNIT_TEST(clearly_faster_is_more_than_a_median) {
  using wherry::collective::detail::is_clearly_faster;
  const std::vector<double> drifting{1, 2, 4, 8, 16, 32, 64, 128};
  auto tenth_less = drifting;
  for (auto& us : tenth_less) us *= 0.9;
  CHECK(is_clearly_faster(tenth_less, drifting));  // in every round, whatever the machine does
  CHECK(!is_clearly_faster(drifting, drifting));
  CHECK(!is_clearly_faster(drifting, tenth_less));
  CHECK(is_clearly_faster({1, 1, 1, 1, 1, 1, 1, 9}, {4, 4, 4, 4, 4, 4, 4, 4}));
  CHECK(!is_clearly_faster({1, 1, 1, 1, 1, 1, 9, 9}, {4, 4, 4, 4, 4, 4, 4, 4}));  // two of eight: one time in seven
  CHECK(!is_clearly_faster({1, 1, 1, 1}, {4, 4, 4, 4}));                          // four say little
  std::vector<double> often_less(40, 3.9), steady(40, 4);
  for (std::size_t i = 0; i < 11; ++i) often_less[i] = 40;
  CHECK(!is_clearly_faster(often_less, steady));  // faster in 29 of 40, which is no chance, but at a price
  CHECK(!is_clearly_faster({}, {}));
}
