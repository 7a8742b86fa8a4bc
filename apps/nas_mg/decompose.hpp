/// @file
/// How the levels of the multigrid are cut. The finest grid is cut into bricks; a coarser one is cut where the finer
/// one is, so that restriction and interpolation stay within a rank; where bricks become too thin, neighbours are
/// merged and fewer ranks go on.
#pragma once

#include <array>
#include <vector>

#include "wherry/wherry.hpp"

namespace nas_mg {

/// One level's cut. Copies are cheap.
struct cut {
  wherry::block_cuts<3> bounds;  ///< along each axis: 0 = first piece's first cell, …, n
  wherry::owner_map owners;      ///< rank of each brick, axis 0 fastest

  int pieces(std::size_t axis) const { return static_cast<int>(bounds[axis].size()) - 1; }
  bool operator==(const cut&) const = default;

  int bricks() const { return static_cast<int>(owners.size()); }
  /// The same for Wherry.
  wherry::floor_plan<3> blocks() const { return wherry::cut_blocks<3>(bounds, owners); }
  /// All cells; periodic.
  wherry::domain<3> space() const {
    return wherry::domain<3>::torus({{}, {bounds[0].back(), bounds[1].back(), bounds[2].back()}});
  }
};

/// n^3 cells over as many of the ranks as possible. Prefers cuts that leave rows long: along z, then y, then x.
cut finest_cut(long n, int ranks);

/// The grid of half as many cells, cut where `fine` is. Coarse cell c lies on fine cell 2c+1, so that a rank owns the
/// coarse cells that lie on its own fine cells, for any bounds. Bricks may be empty.
cut coarsened(const cut& fine);

/// Merges neighbours, the first of whom then owns the cells, until all pieces have `thinnest` cells or an axis is
/// whole.
cut agglomerated(cut thin, long thinnest);

}  // namespace nas_mg
