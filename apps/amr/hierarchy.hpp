/// @file
/// Levels of blocks: coarse ones everywhere, finer ones where the solution changes, each inside the one below it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coupling.hpp"

namespace amr {

struct hierarchy_options {
  index_t cells = 64;  ///< coarse cells a side
  index_t block = 16;  ///< coarse cells a side of a block, at most
  int levels = 3;      ///< 1: only the coarse level
  shape what = shape::gaussian;
  double steepness = 0.05;  ///< cells with a larger gradient are refined; the limit doubles per level
  index_t margin = 2;       ///< cells around them, so that the bump stays refined between two regrids
};

/// All functions are collective. All values are the same, to the last bit, on any number of ranks.
class hierarchy {
 public:
  hierarchy(const wherry::communicator& comm, const hierarchy_options& how);

  /// Advances all levels by one time step.
  void step(double seconds);
  /// Moves the finer blocks to the cells that need them now; new blocks are filled from the level below.
  void regrid();

  double time() const { return time_; }
  /// The width of the finest cells.
  double width() const { return levels_.back()->width(); }
  /// The levels, from the coarse one to the finest.
  const std::vector<std::unique_ptr<level>>& levels() const { return levels_; }

  struct totals {
    double mass = 0;          ///< integral of u
    double error = 0;         ///< integral of |u - exact|
    double refined = 0;       ///< share of the square that is refined
    std::uint64_t state = 0;  ///< fingerprint of every bit of the solution and of the boxes
  };
  /// The summary of the state; only cells without finer cells above them count. It is the same to the last bit on any
  /// number of ranks.
  totals measure() const;

 private:
  void fill_ghosts();
  /// Tags the cells of a level in which the solution is steep or which must lie under finer blocks. Every rank gets all
  /// tags.
  std::vector<char> steep_cells(int number);
  /// Finds the blocks of all finer levels, from the finest level to the coarsest.
  std::vector<wherry::floor_plan<2>> wanted();
  wherry::floor_plan<2> plan_around(const wherry::domain<2>& space, const std::vector<char>& tags, index_t margin,
                                    const wherry::floor_plan<2>* finer) const;
  void make_level(const wherry::floor_plan<2>& plan);
  void make_levels(const std::vector<wherry::floor_plan<2>>& plans);

  wherry::communicator comm_;
  hierarchy_options how_;
  std::vector<std::unique_ptr<level>> levels_;
  std::vector<std::unique_ptr<coupling>> couplings_;  // of each level to the next
  double time_ = 0;
};

}  // namespace amr
