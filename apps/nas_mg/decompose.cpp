#include "decompose.hpp"

#include <algorithm>
#include <limits>

namespace nas_mg {
namespace {

/// The number of cells that travel, weighted by the cost of a cell: short rows across x, long rows across y, whole
/// planes across z.
double cost(long n, const std::array<int, 3>& pieces) {
  constexpr std::array<double, 3> slowness{4.0, 1.3, 1.0};
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (pieces[d] == 1) continue;
    double face = slowness[d];
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face *= static_cast<double>(n) / pieces[other];
    sum += face;
  }
  return sum;
}

/// Returns the cheapest grid of exactly `count` pieces that are at least two cells thick, or {0, 0, 0} if there is
/// none.
std::array<int, 3> process_grid_of(long n, int count) {
  std::array<int, 3> best{};
  double least = std::numeric_limits<double>::infinity();
  for (int x = 1; x <= count; ++x) {
    if (count % x != 0) continue;
    for (int y = 1; y <= count / x; ++y) {
      if (count / x % y != 0) continue;
      const std::array<int, 3> grid{x, y, count / x / y};
      if (*std::max_element(grid.begin(), grid.end()) > n / 2) continue;
      if (const double price = cost(n, grid); price < least) {
        least = price;
        best = grid;
      }
    }
  }
  return best;
}

/// Joins pairs of neighbours along those axes for which `pair` is true.
cut merged(const cut& thin, const std::array<bool, 3>& pair) {
  cut result;
  std::array<int, 3> step{};
  for (std::size_t d = 0; d < 3; ++d) {
    step[d] = pair[d] ? 2 : 1;
    for (int p = 0; p < thin.pieces(d); p += step[d])
      result.bounds[d].push_back(thin.bounds[d][static_cast<std::size_t>(p)]);
    result.bounds[d].push_back(thin.bounds[d].back());
  }
  for (int z = 0; z < thin.pieces(2); z += step[2])
    for (int y = 0; y < thin.pieces(1); y += step[1])
      for (int x = 0; x < thin.pieces(0); x += step[0])
        result.owners.push_back(thin.owners[static_cast<std::size_t>((z * thin.pieces(1) + y) * thin.pieces(0) + x)]);
  return result;
}

}  // namespace

cut finest_cut(long n, int ranks) {
  std::array<int, 3> grid{};
  for (int count = ranks; grid[0] == 0; --count) grid = process_grid_of(n, count);
  cut result;
  for (std::size_t d = 0; d < 3; ++d)
    for (long p = 0; p <= grid[d]; ++p) result.bounds[d].push_back(p * n / grid[d] / 2 * 2);  // even: halves are exact
  for (int rank = 0; rank < grid[0] * grid[1] * grid[2]; ++rank) result.owners.push_back(rank);
  return result;
}

cut coarsened(const cut& fine) {
  cut result = fine;
  for (auto& axis : result.bounds)
    for (auto& bound : axis) bound /= 2;
  return result;
}

cut agglomerated(cut thin, long thinnest) {
  for (;;) {
    std::array<bool, 3> pair{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t p = 0; thin.pieces(d) > 1 && p + 1 < thin.bounds[d].size(); ++p)
        if (thin.bounds[d][p + 1] - thin.bounds[d][p] < thinnest) pair[d] = true;
    if (pair == std::array<bool, 3>{}) return thin;
    thin = merged(thin, pair);
  }
}

}  // namespace nas_mg
