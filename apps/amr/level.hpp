/// @file
/// One level of refinement: blocks of cells of one width, and the fluxes through their faces.
#pragma once

#include <array>

#include "problem.hpp"

namespace amr {

struct level {
  /// Collective. `cells` is the whole unit square in cells of this level; `plan` may cover a part of it.
  level(const wherry::communicator& comm, const wherry::floor_plan<2>& plan, const box2& cells);

  double width() const { return 1.0 / static_cast<double>(space.cells.extent(0)); }
  const wherry::floor_plan<2>& plan() const { return u.plan(); }
  /// The exact solution at a cell's centre.
  double exact_at(const point2& p, shape what, double time) const;
  /// Sets all cells except ghost cells.
  void set_exact(shape what, double time);
  void find_fluxes(double courant);
  void advance(double courant);

  wherry::domain<2> space;
  array2 u;
  std::array<array2, 2> flux;  ///< face i of dimension d lies between cells i-1 and i
  wherry::mover fill_ghosts;   ///< from blocks of the same level
};

}  // namespace amr
