#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "potential.hpp"

namespace liquid {
namespace {

void compute_all_forces(particles& p, double side) {
  const std::size_t n = p.x.size();
  for (auto* force : {&p.fx, &p.fy, &p.fz}) force->assign(n, 0);
  const auto nearest = [side](double distance) { return distance - side * std::round(distance / side); };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double dx = nearest(p.x[i] - p.x[j]), dy = nearest(p.y[i] - p.y[j]), dz = nearest(p.z[i] - p.z[j]);
      const double square = dx * dx + dy * dy + dz * dz;
      if (square >= cutoff * cutoff) continue;
      const double force = shifted_force(square).force_by_distance;
      p.fx[i] += force * dx, p.fy[i] += force * dy, p.fz[i] += force * dz;
      p.fx[j] -= force * dx, p.fy[j] -= force * dy, p.fz[j] -= force * dz;
    }
}

void advance(std::vector<double>& values, double dt, const std::vector<double>& rates) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += dt * rates[i];
}

}  // namespace

particles advanced_alone(const box_of_liquid& box, double dt, int steps) {
  auto p = crystal(box);
  const auto kick = [&] {
    advance(p.vx, dt / 2, p.fx);
    advance(p.vy, dt / 2, p.fy);
    advance(p.vz, dt / 2, p.fz);
  };
  compute_all_forces(p, box.side());
  for (int s = 0; s < steps; ++s) {
    kick();
    advance(p.x, dt, p.vx);
    advance(p.y, dt, p.vy);
    advance(p.z, dt, p.vz);
    compute_all_forces(p, box.side());
    kick();
  }
  return p;
}

double largest_distance(const box_of_liquid& box, const particles& alone, const particles& gathered) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t n = alone.x.size();
  if (gathered.id.size() != n) return infinity;
  std::vector<bool> found(n, false);
  double largest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(gathered.id[k]);
    if (i >= n || found[i]) return infinity;
    found[i] = true;
    double square = 0;
    for (const double difference :
         {gathered.x[k] - alone.x[i], gathered.y[k] - alone.y[i], gathered.z[k] - alone.z[i]}) {
      const double nearest = difference - box.side() * std::round(difference / box.side());
      square += nearest * nearest;
    }
    if (!(std::sqrt(square) <= largest)) largest = std::sqrt(square);  // also if it is no number
  }
  return largest;
}

}  // namespace liquid
