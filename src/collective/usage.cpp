#include "wherry/collective/usage.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "implementations.hpp"
#include "usage.hpp"

namespace wherry::collective {
namespace {

std::array<std::array<std::atomic<std::uint64_t>, most_implementations>, kinds> counts{};

}  // namespace

void count_call(kind what, int implementation) {
  counts[static_cast<std::size_t>(what)][static_cast<std::size_t>(implementation)].fetch_add(1,
                                                                                             std::memory_order_relaxed);
}

std::vector<usage> usage_so_far() {
  std::vector<usage> all;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t i = 0; i < implementations().size(); ++i)
      if (const auto calls = counts[k][i].load(std::memory_order_relaxed); calls > 0)
        all.push_back({static_cast<kind>(k), implementations()[i].name, calls});
  return all;
}

void report_usage(int rank) {
  const auto& who = current_settings().statistics;
  if (who == "0" || (who == "1" && rank != 0)) return;
  std::string lines;
  for (const auto& row : usage_so_far())
    lines +=
        text("wherry: ", name_of(row.what), ", rank ", rank, ", by ", row.implementation, ": ", row.calls, " calls\n");
  std::fputs(lines.c_str(), stderr);  // at once, so that the lines of several ranks stay together
}

}  // namespace wherry::collective
