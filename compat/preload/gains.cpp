#include "gains.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wherry::preload {
namespace {

/// "8.2 µs", "33 ms", "2.1 s".
std::string duration(double us) {
  const char* units[] = {"µs", "ms", "s"};
  int unit = 0;
  for (; us >= 1000 && unit < 2; ++unit) us /= 1000;
  char words[32];
  std::snprintf(words, sizeof words, us < 9.95 ? "%.1f %s" : "%.0f %s", us, units[unit]);
  return words;
}

}  // namespace

int size_class(std::int64_t bytes) {
  if (bytes <= 0) return 0;
  int place = 1;
  for (std::int64_t most = 8; most < bytes && place < size_classes - 1; most *= 4) ++place;
  return place;
}

std::vector<double> sample_list::sorted() const {
  std::vector<double> all(values_.begin(),
                          values_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, values_.size())));
  std::sort(all.begin(), all.end());
  return all;
}

interval interval_of(const std::vector<double>& sorted) {
  const auto n = sorted.size();
  if (n == 0) return {};
  const auto reach = static_cast<std::size_t>(0.98 * std::sqrt(static_cast<double>(n)) + 0.5);  // as in the sign test
  const auto low = (n - 1) / 2 > reach ? (n - 1) / 2 - reach : 0;
  return {(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[low], sorted[n - 1 - low]};
}

gain gain_of(const measured* sizes) {
  gain all;
  for (int i = 0; i < size_classes; ++i) {
    const auto& one = sizes[i];
    const auto ours = one.ours.sorted(), mpi = one.mpi.sorted();
    if (ours.size() < fewest_samples || mpi.size() < fewest_samples) {
      all.left_out += one.calls;
      continue;
    }
    const auto calls = static_cast<double>(one.calls);
    const auto a = interval_of(ours), b = interval_of(mpi);
    all.calls += one.calls;
    all.ours += calls * a.median;
    all.mpi += calls * b.median;
    all.saved_low += calls * (b.low - a.high);
    all.saved_high += calls * (b.high - a.low);
  }
  return all;
}

std::string words_for(const gain& one) {
  if (one.calls == 0) return {};
  const double saved = one.mpi - one.ours;
  auto words = "took about " + duration(one.ours) + "; by MPI " + duration(one.mpi) + ": ";
  if (one.is_clear()) {
    char percent[32];
    std::snprintf(percent, sizeof percent, " (%.0f %%) ", 100 * std::abs(saved) / one.mpi);
    words += duration(std::abs(saved)) + percent + (saved > 0 ? "saved" : "lost");
  } else {
    words += "no difference beyond the noise";
  }
  if (one.left_out > 0)
    words += "; without " + std::to_string(one.left_out) + (one.left_out == 1 ? " call" : " calls") +
             " of sizes that were not compared often enough";
  return words;
}

}  // namespace wherry::preload
