/// @file
/// One grid of the multigrid, and the transfer between a grid and the next coarser one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wherry/wherry.hpp"

#include "decompose.hpp"
#include "hand_written.hpp"
#include "kernels.hpp"

namespace nas_mg {

/// An array with one block for each rank, or none if a level has fewer blocks than there are ranks, and one layer of
/// ghost cells.
using array = wherry::x_array<double, 3>;

/// This rank's block in the form that the kernels use; empty on a rank without a block.
brick brick_of(array& cells);

/// The way in which ghost cells are filled.
struct communication {
  std::string transport = "auto";
  bool by_hand = false;     ///< by MPI calls instead of movers
  bool overlapped = false;  ///< inner planes are computed meanwhile
};

/// Fills the ghost cells of one array, periodically.
class ghost_fill {
 public:
  /// Collective.
  ghost_fill(array& cells, const cut& how, const communication& by);

  void start();
  void wait();
  void operator()() {
    start();
    wait();
  }
  /// Calls `compute(first, last)` for all planes of the block once its ghost cells are filled; with `overlapped`, it
  /// computes the inner planes before that.
  template <class Compute> void before(long planes, Compute&& compute);

  double seconds() const { return seconds_; }  ///< in start and wait
  std::string transport() const { return mover_ ? mover_->transport() : "MPI by hand"; }

 private:
  std::optional<wherry::mover> mover_;
  std::unique_ptr<hand_written_fill> by_hand_;
  bool overlapped_;
  double seconds_ = 0;
};

/// One grid: the solution (or its correction) u and the residual r. Ranks without cells run the same code.
struct level {
  /// Collective.
  level(const wherry::communicator& comm, const cut& how, const communication& by);

  cut cells;
  array u, r;
  ghost_fill fill_u, fill_r;
};

/// Restriction and interpolation between two grids. If the coarse grid has fewer ranks, values pass through a landing:
/// an array of the coarse cells that lie on this rank's own fine cells, and one more cell on each side.
class staircase {
 public:
  /// Collective. Keeps references to both.
  staircase(const wherry::communicator& comm, level& fine, level& coarse, const communication& by);

  /// Sets coarse.r to the full weighting of fine.r. Fills the ghost cells of fine.r first.
  void restrict_residual();
  /// Sets fine.u = fine.u (or 0, without `add`) + the interpolation of coarse.u, ghost cells included, and then fine.r
  /// = right - A fine.u.
  void correct_and_find_residual(bool add, array& right);

  double seconds() const { return seconds_; }  ///< in the landing's movers

 private:
  struct landing {
    landing(const wherry::communicator& comm, level& coarse, const cut& by_fine, const communication& by);
    array values;
    wherry::mover down, up;  ///< landing to coarse.r, coarse.u to landing
  };
  void move(wherry::mover& one);

  level* fine_;
  level* coarse_;
  alignment where_;
  std::unique_ptr<landing> landing_;
  double seconds_ = 0;
};

/// Some planes of a brick.
brick planes_of(brick whole, long first, long last);

}  // namespace nas_mg

template <class Compute> void nas_mg::ghost_fill::before(long planes, Compute&& compute) {
  if (!overlapped_ || planes < 3) {
    (*this)();
    compute(0, planes);
    return;
  }
  start();
  compute(1, planes - 1);
  wait();
  compute(0, 1);
  compute(planes - 1, planes);
}
