#include "sorting.hpp"

#include <algorithm>
#include <cstddef>

namespace sample_sort {

std::vector<element> samples_of(const std::vector<element>& sorted, int ranks) {
  const auto wanted = std::min(sorted.size(), static_cast<std::size_t>(ranks));
  std::vector<element> samples;
  for (std::size_t i = 0; i < wanted; ++i) samples.push_back(sorted[i * sorted.size() / wanted]);
  return samples;
}

std::vector<element> splitters_of(std::vector<element> samples, int ranks) {
  std::sort(samples.begin(), samples.end());
  std::vector<element> splitters;
  const auto parts = static_cast<std::size_t>(ranks);
  for (std::size_t i = 1; i < parts && !samples.empty(); ++i)
    splitters.push_back(samples[std::min(samples.size() - 1, i * samples.size() / parts + parts / 2)]);
  return splitters;
}

std::vector<int> counts_between(const std::vector<element>& sorted, const std::vector<element>& splitters, int ranks) {
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  auto begin = sorted.begin();
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto end = r < splitters.size() ? std::upper_bound(begin, sorted.end(), splitters[r]) : sorted.end();
    counts[r] = static_cast<int>(end - begin);
    begin = end;
  }
  return counts;
}

}  // namespace sample_sort
