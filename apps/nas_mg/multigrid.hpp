/// @file
/// The solver: A u = v by V-cycles.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "level.hpp"
#include "problem.hpp"

namespace nas_mg {

/// The solver begins with u = 0. All functions are collective.
class multigrid {
 public:
  multigrid(const wherry::communicator& comm, const problem& what, const communication& by);

  /// r = v - A u
  void find_residual();
  /// Makes one V-cycle: the coarser grids compute a correction of u from r.
  void cycle();
  /// The norm of r: the square root of its mean square.
  double residual_norm();
  /// Starts again from u = 0.
  void reset();

  brick right_hand_side() { return brick_of(v_); }
  /// This rank's cells in global indices.
  wherry::box<3> mine() const { return v_.blocks().empty() ? wherry::box<3>{} : v_.blocks().front().core; }
  /// A readable text: the cut of the finest grid, and the number of ranks of each level.
  std::string describe_levels() const;
  /// The transport of the halos of the finest grid.
  std::string transport() const { return finest().fill_u.transport(); }
  /// The seconds spent in exchanges since the beginning.
  double communicating() const;

 private:
  level& finest() { return *levels_.back(); }
  const level& finest() const { return *levels_.back(); }
  void smooth(level& at);

  wherry::communicator comm_;
  problem problem_;
  std::vector<std::unique_ptr<level>> levels_;  // coarsest (2^3 cells) first
  std::vector<staircase> stairs_;               // stairs_[k] between levels k and k + 1
  array v_;
};

}  // namespace nas_mg
