#include "wherry/collective/usage.hpp"

#include <array>
#include <atomic>

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

}  // namespace wherry::collective
