#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "wherry/collective/tuning.hpp"

namespace wherry::collective {
namespace {

/// The value below which three quarters of the values lie, interpolated; 0 for none.
double third_quartile(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = 0.75 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  if (share == 0 || values[below] == values[below + 1]) return values[below];  // also for infinite values
  return values[below] + share * (values[below + 1] - values[below]);
}

/// The probability that at most this many of these coins show heads.
double chance_of_at_most(std::size_t heads, std::size_t coins) {
  double all = 0, of_so_many = std::exp2(-static_cast<double>(coins));
  for (std::size_t k = 0; k <= heads; ++k) {
    all += of_so_many;
    of_so_many *= static_cast<double>(coins - k) / static_cast<double>(k + 1);
  }
  return all;
}

}  // namespace

bool detail::is_clearly_faster(const std::vector<double>& times, const std::vector<double>& than) {
  const auto pairs = std::min(times.size(), than.size());
  std::size_t slower = 0;
  for (std::size_t i = 0; i < pairs; ++i)
    if (!(times[i] < than[i])) ++slower;
  return chance_of_at_most(slower, pairs) <= 0.05 && third_quartile(times) < third_quartile(than);
}

}  // namespace wherry::collective
