/// @file
/// The problem: u_t + a u_x + b u_y = 0 on the periodic unit square, with a bump that the flow carries along.
#pragma once

#include <array>
#include <cmath>

#include "wherry/wherry.hpp"

namespace amr {

using wherry::index_t;
using box2 = wherry::box<2>;
using point2 = wherry::point<2>;
using cells2 = wherry::grid_view<double, 2>;
using const_cells2 = wherry::grid_view<const double, 2>;
using array2 = wherry::x_array<double, 2>;

inline constexpr std::array<double, 2> velocity{1.0, 0.5};
inline constexpr index_t ratio = 2;  ///< of the widths of coarse and fine cells
inline constexpr index_t ghost = 2;  ///< cells that the scheme reads around a block

/// The shape of the bump: smooth, or with an edge.
enum class shape { gaussian, disc };

/// The exact solution.
inline double exact(shape what, double x, double y, double time) {
  const auto off = [](double from, double to) {
    const double d = from - to;
    return d - std::round(d);  // the nearest periodic image
  };
  const double dx = off(x - velocity[0] * time, 0.3), dy = off(y - velocity[1] * time, 0.4);
  const double squared = dx * dx + dy * dy;
  if (what == shape::disc) return squared < 0.15 * 0.15 ? 1 : 0;
  return std::exp(-squared / (2 * 0.07 * 0.07));
}

}  // namespace amr
