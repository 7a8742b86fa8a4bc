#include "flow.hpp"

#include <cmath>
#include <numbers>

namespace lattice_boltzmann {
namespace {

double middle(long cell) { return static_cast<double>(cell) + 0.5; }

moments poiseuille_solution(const flow& f, const extents3& cell) {
  const double height = static_cast<double>(f.cells[1]), y = middle(cell[1]) / height;
  return {1, {4 * f.speed * y * (1 - y), 0, 0}};
}

/// ψ = cos(a x) cos(b s), where s is the distance along (0, b_y, b_z), which has the length b. The vorticity is a
/// function of ψ, so the flow only decays: by exp(-ν (a² + b²) t).
moments taylor_green_solution(const flow& f, const extents3& cell, long step) {
  const auto waves = [&](std::size_t d) { return 2 * std::numbers::pi / static_cast<double>(f.cells[d]); };
  const double a = waves(0), b_y = waves(1), b_z = f.cells[2] > 1 ? waves(2) : 0, b = std::hypot(b_y, b_z);
  const double x = a * middle(cell[0]), s = b_y * middle(cell[1]) + b_z * middle(cell[2]);
  const double now = f.speed * std::exp(-f.viscosity() * (a * a + b * b) * static_cast<double>(step));
  const double along_x = now * std::cos(x) * std::sin(s), along_s = -now * a / b * std::sin(x) * std::cos(s);
  const double pressure = -0.25 * now * now * (std::cos(2 * x) + a * a / (b * b) * std::cos(2 * s));
  return {1 + 3 * pressure, {along_x, along_s * b_y / b, along_s * b_z / b}};
}

}  // namespace

double flow::force() const {
  const double height = static_cast<double>(cells[1]);
  return walls ? 8 * viscosity() * speed / (height * height) : 0;
}

moments flow::solution(const extents3& cell, long step) const {
  return walls ? poiseuille_solution(*this, cell) : taylor_green_solution(*this, cell, step);
}

moments flow::at_first(const extents3& cell) const { return walls ? moments{1, {}} : solution(cell, 0); }

flow poiseuille(const extents3& cells, double relaxation, double speed) {
  return {"Poiseuille flow", cells, relaxation, speed, true};
}

flow taylor_green(const extents3& cells, double relaxation, double speed) {
  return {"Taylor-Green vortex", cells, relaxation, speed, false};
}

}  // namespace lattice_boltzmann
