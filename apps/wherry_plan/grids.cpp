#include "grids.hpp"

#include <array>
#include <cstddef>

namespace planning {
namespace {

void append_grids(std::vector<int>& begun, int ranks, const std::vector<std::int64_t>& cells,
                  std::vector<std::vector<int>>& all) {
  const auto dimension = begun.size();
  if (dimension == cells.size()) {
    if (ranks == 1) all.push_back(begun);
    return;
  }
  for (int extent = 1; extent <= ranks && extent <= cells[dimension]; ++extent)
    if (ranks % extent == 0) {
      begun.push_back(extent);
      append_grids(begun, ranks / extent, cells, all);
      begun.pop_back();
    }
}

}  // namespace

std::vector<std::vector<int>> grids_of(int ranks, const std::vector<std::int64_t>& cells) {
  std::vector<std::vector<int>> all;
  std::vector<int> begun;
  append_grids(begun, ranks, cells, all);
  return all;
}

std::int64_t surface_of(const std::vector<int>& grid, const std::vector<std::int64_t>& cells,
                        const std::vector<bool>& periodic) {
  std::int64_t all = 0;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    std::int64_t face = 1;
    for (std::size_t other = 0; other < grid.size(); ++other)
      if (other != d) face *= (cells[other] + grid[other] - 1) / grid[other];
    if (grid[d] > 1) all += face * (periodic[d] || grid[d] > 2 ? 2 : 1);
  }
  return all;
}

int rank_of_box(int number, const wherry::detail::rank_placement& placed) {
  std::array<int, wherry::max_halo_dimensions> at{};
  for (std::size_t d = 0; d < placed.extents().size(); ++d) {
    at[d] = number % placed.extents()[d];
    number /= placed.extents()[d];
  }
  return placed.rank_at(at);
}

}  // namespace planning
