/// @file
/// Builders of floor plans: a box of cells cut into blocks that ranks own. Pure; no MPI.
///
///     auto plan = decompose(space.cells, ranks);                             // one block a rank, nearly cubic
///
///     auto plan = decompose(space.cells, ranks, {.largest = {64, 64, 64}});  // many blocks, dealt along a curve
///
///     auto plan = even_blocks(space.cells, {2, 3, 1});                       // block i on rank i
///
///     auto plan = block_cyclic(matrix, {nb, nb}, {rows, columns});           // as in ScaLAPACK
///
///     auto plan = balance(cut_blocks<2>({{{0, 10, 64}, {0, 7, 32}}}), ranks);
///
/// Boxes, and the ranks of a process grid, are numbered with dimension 0 fastest; `row_major` (balance.hpp) gives
/// owners for process grids that are numbered the other way.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "wherry/motion/balance.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// Where each dimension is cut, ends included: n + 1 ascending places make n pieces, which may be empty.
template <int N> using block_cuts = std::array<std::vector<index_t>, static_cast<std::size_t>(N)>;

/// From `lower` to `upper` in pieces that differ by one cell at most, the longer ones first.
/// @throws error(argument) for fewer than 1 piece.
std::vector<index_t> even_cuts(index_t lower, index_t upper, index_t pieces);

/// In how many pieces to cut each dimension so that there are exactly `pieces` and the largest of them, with one more
/// layer of cells around it, is as small as can be. Of equal ones, dimension 0 is cut least: its rows stay long.
template <int N> point<N> pieces_for(const box<N>& cells, int pieces);

/// How `decompose` cuts and deals. The same on all ranks.
template <int N> struct decompose_options {
  /// Most cells of a block in each dimension; 0: as many as there are. (AMReX: max_grid_size.)
  point<N> largest{};
  /// How the blocks are dealt; only with `largest`.
  balance_options owners{};
};

/// Without options one block a rank: a grid of them as `pieces_for` cuts it, or by bisection where that makes the
/// largest block a tenth smaller (7 ranks have no grid but a row). With `largest`, as few even blocks as that allows,
/// but one for every rank where there are cells enough, dealt to the ranks.
/// @throws error(argument) for fewer than 1 rank or a negative `largest`.
template <int N> floor_plan<N> decompose(const box<N>& cells, int ranks, const decompose_options<N>& how = {});

/// A grid of `pieces` even blocks. Without owners block i is rank i's.
/// @throws error(argument) for a dimension in less than 1 piece, or owners that are not one a block.
template <int N> floor_plan<N> even_blocks(const box<N>& cells, const point<N>& pieces, const owner_map& owners = {});

/// A grid of blocks with cuts of your own. Without owners block i is rank i's.
/// @throws error(argument) for a dimension without two cuts or whose cuts descend, or owners that are not one a block.
template <int N> floor_plan<N> cut_blocks(const block_cuts<N>& cuts, const owner_map& owners = {});

/// Blocks of `block` cells, the last ones of a dimension maybe smaller, dealt to a process grid in turn in every
/// dimension: ScaLAPACK's distribution in N dimensions, `cells.lower` on place 0.
/// @param ranks the rank at each place of the process grid, dimension 0 fastest; empty: its number
/// @throws error(argument) for blocks or a process grid without extent, or ranks that are not one a place.
template <int N>
floor_plan<N> block_cyclic(const box<N>& cells, const point<N>& block, const point<N>& process_grid,
                           const owner_map& ranks = {});

/// Any number of nearly equal blocks, block i on rank i: halved in the longest dimension, in the ratio of the ranks on
/// either side, again and again.
/// @throws error(argument) for fewer than 1 rank.
template <int N> floor_plan<N> bisected_blocks(const box<N>& cells, int ranks);

}  // namespace wherry
