#include "harness/ratios.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

comparison compare(const std::vector<double>& ours_us, const std::vector<double>& peer_us) {
  comparison result;
  result.ours_us = median(ours_us);
  result.peer_us = median(peer_us);
  result.ratio = result.ours_us / result.peer_us;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours_us.size(); ++i) ratios.push_back(ours_us[i] / peer_us[i]);
  const double middle = median(ratios);
  result.spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / middle;
  const auto half = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  const double first = median({ratios.begin(), half}), second = median({half, ratios.end()});
  result.steady = result.spread < 0.2 && std::abs(first - second) < 0.1 * middle;
  return result;
}

}  // namespace bench
