/// @file
/// Two levels: coarse blocks everywhere, fine blocks where the solution changes.
#pragma once

#include <memory>

#include "coupling.hpp"

namespace amr {

struct hierarchy_options {
  index_t cells = 64;  ///< coarse cells a side
  index_t block = 16;  ///< coarse cells a side of a block, at most
  bool refine = true;  ///< false: the coarse level alone
  shape what = shape::gaussian;
  double steepness = 0.25;  ///< refined: where the gradient is larger
  index_t margin = 2;       ///< coarse cells around those, so that nothing escapes between two regrids
};

/// Collective throughout. All values are the same, to the last bit, on any number of ranks.
class hierarchy {
 public:
  hierarchy(const wherry::communicator& comm, const hierarchy_options& how);

  /// Both levels by one time step.
  void step(double seconds);
  /// Fine blocks to where they are needed now; new ones are filled from the coarse level.
  void regrid();

  double time() const { return time_; }
  /// Of the finest cells there are.
  double width() const { return fine_ ? fine_->width() : coarse_.width(); }
  const level& coarse() const { return coarse_; }
  /// Null without refinement.
  level* fine() const { return fine_.get(); }

  struct totals {
    double mass = 0;          ///< integral of u
    double error = 0;         ///< integral of |u - exact|
    double refined = 0;       ///< share of the square that is refined
    std::uint64_t state = 0;  ///< fingerprint of every bit of the solution and of the boxes
  };
  /// Coarse cells count where no fine ones are. The same to the last bit on any number of ranks.
  totals measure() const;

 private:
  wherry::floor_plan<2> wanted();
  void make_fine(const wherry::floor_plan<2>& plan);

  wherry::communicator comm_;
  hierarchy_options how_;
  level coarse_;
  array2 tags_, all_tags_;  // of the coarse cells: at home, and all of them on every rank
  wherry::mover gather_tags_;
  std::unique_ptr<level> fine_;
  std::unique_ptr<coupling> coupling_;
  double time_ = 0;
};

}  // namespace amr
