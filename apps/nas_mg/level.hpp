/// @file
/// One grid of the multigrid, and the way from one grid to the next coarser.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wherry/wherry.hpp"

#include "decompose.hpp"
#include "kernels.hpp"

namespace nas_mg {

using array = wherry::field<double, 3>;

/// What the kernels see of a field.
brick brick_of(const array& cells);

/// One grid: the solution (or its correction) u and the residual r on this rank's cells, and the exchanges of their
/// halos. Ranks without cells have empty fields and exchange nothing; they run the same code.
struct level {
  /// Collective.
  level(const wherry::communicator& comm, const cut& how, const std::string& transport);

  cut cells;
  wherry::box<3> mine;  ///< my cells' global indices
  array u, r;
  wherry::halo_exchange fill_u, fill_r;
};

/// Restriction and interpolation between two grids. Where the coarse one has fewer ranks, values pass through a
/// landing: the coarse cells that lie on this rank's own fine cells, and one more on each side.
class staircase {
 public:
  /// Collective. Keeps references to both.
  staircase(const wherry::communicator& comm, level& fine, level& coarse, const std::string& transport);

  /// coarse.r = full weighting of fine.r, which has its halo; then fills the halo of coarse.r.
  void restrict_residual();
  /// fine.u = fine.u (or nothing, without `add`) + the interpolation of coarse.u, halos included on both sides. Then
  /// fine.r = right - A fine.u; fills its halo.
  void correct_and_find_residual(bool add, const array& right);

 private:
  struct landing {
    landing(const wherry::communicator& comm, const level& coarse, const cut& by_fine, const std::string& transport);
    array values;
    wherry::all_to_all down, up;  ///< landing to coarse.r, coarse.u to landing
  };

  level* fine_;
  level* coarse_;
  alignment where_;
  std::unique_ptr<landing> landing_;
};

}  // namespace nas_mg
