/// @file
/// The two flows, each with its analytic solution.
#pragma once

#include <array>
#include <string_view>

#include "subdomain.hpp"

namespace lattice_boltzmann {

/// Density and velocity of a cell, in lattice units (a cell, a time step, a mean density of 1).
struct moments {
  double density;
  std::array<double, 3> velocity;
};

/// A flow in a box of cells.
struct flow {
  std::string_view name;
  extents3 cells;
  double relaxation;  ///< time τ; the viscosity is (τ - 1/2) / 3
  double speed;       ///< the largest speed: at first (Taylor-Green) or in the end (Poiseuille)
  bool walls;         ///< walls half a cell below the first and above the last cell of axis y; otherwise periodic

  double viscosity() const { return (relaxation - 0.5) / 3; }
  /// The force along x on each cell.
  double force() const;
  std::array<bool, 3> periodic() const { return {true, !walls, true}; }
  /// The analytic solution in the middle of a cell.
  moments solution(const extents3& cell, long step) const;
  /// The state of which the first populations are the equilibrium.
  moments at_first(const extents3& cell) const;
};

/// The flow between two plates that a constant force drives, from rest. The analytic solution is that of the steady
/// state.
flow poiseuille(const extents3& cells, double relaxation, double speed);
/// A decaying vortex. On a lattice of three dimensions its plane stands across the box, so that nothing is constant
/// along any axis.
flow taylor_green(const extents3& cells, double relaxation, double speed);

}  // namespace lattice_boltzmann
