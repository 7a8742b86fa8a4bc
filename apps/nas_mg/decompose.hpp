/// @file
/// Cuts the levels of the multigrid. The finest grid is cut into bricks. A coarser grid is cut at the same places as
/// the finer one, so that restriction and interpolation stay within a rank. If bricks become too thin, neighbours are
/// merged and fewer ranks go on.
#pragma once

#include <array>
#include <vector>

#include "wherry/wherry.hpp"

namespace nas_mg {

/// The cut of one level. Copies are cheap.
struct cut {
  wherry::block_cuts<3> bounds;  ///< along each axis: 0 = first piece's first cell, …, n
  wherry::owner_map owners;      ///< rank of each brick, axis 0 fastest

  int pieces(std::size_t axis) const { return static_cast<int>(bounds[axis].size()) - 1; }
  bool operator==(const cut&) const = default;

  int bricks() const { return static_cast<int>(owners.size()); }
  /// The cut as a floor plan of Wherry's.
  wherry::floor_plan<3> blocks() const { return wherry::cut_blocks<3>(bounds, owners); }
  /// The domain of all cells, which is periodic.
  wherry::domain<3> space() const {
    return wherry::domain<3>::torus({{}, {bounds[0].back(), bounds[1].back(), bounds[2].back()}});
  }
};

/// Cuts n^3 cells for as many of the ranks as possible. Prefers cuts that leave rows long: along z, then y, then x.
cut finest_cut(long n, int ranks);

/// Makes the cut of the grid with half as many cells along each axis, at the same places as `fine`. Coarse cell c lies
/// on fine cell 2c+1, so that a rank owns the coarse cells that lie on its own fine cells, for any bounds. Bricks may
/// be empty.
cut coarsened(const cut& fine);

/// Merges neighbours until all pieces have `thinnest` cells or an axis is whole. The first of the merged ranks then
/// owns the cells.
cut agglomerated(cut thin, long thinnest);

}  // namespace nas_mg
