#include "scheme.hpp"

#include <algorithm>

namespace amr {
namespace {

point2 unit(int dimension) { return dimension == 0 ? point2{1, 0} : point2{0, 1}; }
point2 plus(const point2& p, const point2& q) { return {p[0] + q[0], p[1] + q[1]}; }
point2 minus(const point2& p, const point2& q) { return {p[0] - q[0], p[1] - q[1]}; }

/// The slope by monotonised central differences, per cell, which makes no new extremes.
double slope(const const_cells2& u, const point2& p, int dimension) {
  const auto e = unit(dimension);
  const double below = u[p] - u[minus(p, e)], above = u[plus(p, e)] - u[p];
  if (below * above <= 0) return 0;
  const double least = std::min({2 * std::abs(below), 2 * std::abs(above), 0.5 * std::abs(below + above)});
  return below > 0 ? least : -least;
}

}  // namespace

void find_fluxes(const cells2& u, int dimension, const box2& faces, double courant, const cells2& flux) {
  const double along = velocity[static_cast<std::size_t>(dimension)];
  const double across = velocity[static_cast<std::size_t>(1 - dimension)];
  const auto e = unit(dimension);
  for_each_point(faces, [&](const point2& face) {
    const auto from = along > 0 ? minus(face, e) : face;  // the cell that the flow comes from
    const double reach = along > 0 ? 1 - along * courant : -1 - along * courant;
    const double state =
        u[from] + 0.5 * reach * slope(u, from, dimension) - 0.5 * across * courant * slope(u, from, 1 - dimension);
    flux[face] = along * state;
  });
}

void advance(const cells2& u, const box2& cells, double courant, const cells2& flux_x, const cells2& flux_y) {
  for_each_point(cells, [&](const point2& p) {
    u[p] -= courant * (flux_x[plus(p, unit(0))] - flux_x[p] + flux_y[plus(p, unit(1))] - flux_y[p]);
  });
}

void interpolate(const const_cells2& coarse, const cells2& fine, const box2& fine_cells) {
  for_each_point(fine_cells, [&](const point2& p) {
    const point2 under{wherry::floor_divide(p[0], ratio), wherry::floor_divide(p[1], ratio)};
    const auto side = [&](std::size_t d) { return p[d] == ratio * under[d] ? -0.25 : 0.25; };
    fine[p] = coarse[under] + (side(0) * slope(coarse, under, 0) + side(1) * slope(coarse, under, 1));
  });
}

}  // namespace amr
