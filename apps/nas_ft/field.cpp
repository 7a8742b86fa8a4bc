#include "field.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

#include "common/random_numbers.hpp"

namespace nas_ft {
namespace {

constexpr double alpha = 1e-6;
constexpr wherry::index_t summed_points = 1024;

}  // namespace

void fill_random(const view& grid, const wherry::box<3>& cells, const problem& what) {
  for (auto z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (auto y = cells.lower[1]; y < cells.upper[1]; ++y) {
      const auto place = (z * what.cells[1] + y) * what.cells[0] + cells.lower[0];
      apps::random_numbers random(2 * static_cast<std::uint64_t>(place));
      // A complex number is an array of its two parts (C++ standard, [complex.numbers]).
      auto* row = reinterpret_cast<double*>(&grid(cells.lower[0], y, z));
      random.fill({row, 2 * static_cast<std::size_t>(cells.extent(0))});
    }
}

decay::decay(const problem& what) : cells_(what.cells) {
  for (std::size_t d = 0; d < 3; ++d) factor_[d].resize(static_cast<std::size_t>(cells_[d]));
}

void decay::set_time(int t) {
  const double rate = -4 * alpha * std::numbers::pi * std::numbers::pi * t;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto n = cells_[d];
    for (wherry::index_t i = 0; i < n; ++i) {
      const auto k = static_cast<double>((i + n / 2) % n - n / 2);
      factor_[d][static_cast<std::size_t>(i)] = std::exp(rate * k * k);
    }
  }
}

void decay::apply(const view& from, const view& to, const wherry::box<3>& cells) const {
  const auto length = cells.extent(0);
  const double* along_x = factor_[0].data() + cells.lower[0];
  for (auto y = cells.lower[1]; y < cells.upper[1]; ++y)
    for (auto z = cells.lower[2]; z < cells.upper[2]; ++z) {
      const double of_row = factor_[1][static_cast<std::size_t>(y)] * factor_[2][static_cast<std::size_t>(z)];
      const complex* in = &from(cells.lower[0], y, z);
      complex* out = &to(cells.lower[0], y, z);
      for (wherry::index_t x = 0; x < length; ++x) out[x] = in[x] * (of_row * along_x[x]);
    }
}

complex part_of_checksum(const view& grid, const wherry::box<3>& cells, const problem& what) {
  complex sum = 0;
  for (wherry::index_t j = 1; j <= summed_points; ++j) {
    const wherry::point<3> p{j % what.cells[0], 3 * j % what.cells[1], 5 * j % what.cells[2]};
    if (cells.contains(p)) sum += grid[p];
  }
  return sum / what.points();
}

}  // namespace nas_ft
