#include "wherry/collective/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "implementations.hpp"
#include "usage.hpp"

namespace wherry::collective {
namespace {

/// The counts of living and of freed communicators. Never destroyed, because communicators may outlive static storage.
struct all_counts {
  std::mutex guard;
  std::vector<const call_counts*> there;
  std::array<std::array<std::uint64_t, call_counts::most_implementations>, kinds> gone{};
  std::vector<fallen_through> gone_fallen;
};
all_counts& everywhere() {
  static auto* const all = new all_counts;
  return *all;
}

template <class Sum> void add(const call_counts& one, Sum& sum) {
  for (std::size_t k = 0; k < sum.size(); ++k)
    for (std::size_t i = 0; i < sum[k].size(); ++i) sum[k][i] += one.so_far()[k][i].load(std::memory_order_relaxed);
}

void add_fallen(const call_counts& one, std::vector<fallen_through>& sum) {
  for (const auto& more : one.fallen_so_far()) {
    const auto calls = more.calls.load(std::memory_order_relaxed);
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const fallen_through& known) {
      return known.what == more.what && known.wanted == more.wanted && known.why == more.why;
    });
    if (same != sum.end())
      same->calls += calls;
    else
      sum.push_back({more.what, more.wanted, more.why, calls});
  }
}

std::string lines_of(const std::vector<fallen_through>& all, kind what) {
  std::string lines;
  for (const auto& one : all)
    if (one.what == what)
      lines += wherry::detail::text("wherry:   ", one.calls, " of them fell through: ", one.wanted,
                                    " cannot: ", one.why, "\n");
  return lines;
}

}  // namespace

fallen_calls& call_counts::fallen(kind what, std::string_view wanted, std::string_view why) {
  const auto known = std::find_if(fallen_.begin(), fallen_.end(), [&](const fallen_calls& one) {
    return one.what == what && one.wanted == wanted && one.why == why;
  });
  if (known != fallen_.end()) return *known;
  const std::lock_guard lock(everywhere().guard);
  return fallen_.emplace_back(what, wanted, why);
}

call_counts::call_counts() {
  auto& all = everywhere();
  const std::lock_guard lock(all.guard);
  all.there.push_back(this);
}

call_counts::~call_counts() {
  auto& all = everywhere();
  const std::lock_guard lock(all.guard);
  add(*this, all.gone);
  add_fallen(*this, all.gone_fallen);
  std::erase(all.there, this);
}

std::vector<usage> usage_so_far() {
  auto& counted = everywhere();
  const std::lock_guard lock(counted.guard);
  auto sum = counted.gone;
  for (const auto* one : counted.there) add(*one, sum);
  std::vector<usage> all;
  for (std::size_t k = 0; k < sum.size(); ++k)
    for (std::size_t i = 0; i < implementations().size(); ++i)
      if (sum[k][i] > 0) all.push_back({static_cast<kind>(k), implementations()[i].name, sum[k][i]});
  return all;
}

std::vector<fallen_through> fallen_through_so_far() {
  auto& counted = everywhere();
  const std::lock_guard lock(counted.guard);
  auto sum = counted.gone_fallen;
  for (const auto* one : counted.there) add_fallen(*one, sum);
  return sum;
}

void report_usage(int rank) {
  const auto& who = current_settings().statistics;
  if (who == "0" || (who == "1" && rank != 0)) return;
  std::string lines;
  const auto fallen = fallen_through_so_far();
  for (const auto& row : usage_so_far()) {
    lines += wherry::detail::text("wherry: ", name_of(row.what), ", rank ", rank, ", by ", row.implementation, ": ",
                                  row.calls, " calls\n");
    if (row.implementation == implementations()[mpi_itself].name) lines += lines_of(fallen, row.what);
  }
  std::fputs(lines.c_str(), stderr);  // in one call, so that the lines of several ranks are not mixed
}

}  // namespace wherry::collective
