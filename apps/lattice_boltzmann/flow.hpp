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
  double speed;       ///< the largest at first (Taylor-Green) or in the end (Poiseuille)
  bool walls;         ///< half a cell below the first and above the last cell of axis y; all else is periodic

  double viscosity() const { return (relaxation - 0.5) / 3; }
  /// Along x, on each cell.
  double force() const;
  std::array<bool, 3> periodic() const { return {true, !walls, true}; }
  /// The analytic solution in the middle of a cell.
  moments solution(const extents3& cell, long step) const;
  /// What the populations are the equilibrium of at first.
  moments at_first(const extents3& cell) const;
};

/// Flow between two plates, driven by a constant force, from rest. The solution is that of steady state.
flow poiseuille(const extents3& cells, double relaxation, double speed);
/// A decaying vortex. On a lattice of three dimensions its plane stands across the box, so that nothing is constant
/// along any axis.
flow taylor_green(const extents3& cells, double relaxation, double speed);

}  // namespace lattice_boltzmann
