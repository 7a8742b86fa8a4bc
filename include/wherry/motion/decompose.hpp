/// @file
/// Builds floor plans: each function cuts a box of cells into blocks and assigns them to ranks.
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
/// All functions are local and make no MPI call; ranks that pass the same arguments get the same plan. Boxes, and the
/// ranks of a process grid, are numbered with dimension 0 fastest; `row_major` (balance.hpp) gives the owners for
/// process grids that are numbered with the last dimension fastest. If no rank can list all boxes, use
/// `distributed_floor_plan` (resolve.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "wherry/motion/balance.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// The coordinates at which each dimension is cut, both ends included: n + 1 ascending coordinates make n pieces, which
/// may be empty.
template <int N> using block_cuts = std::array<std::vector<index_t>, static_cast<std::size_t>(N)>;

namespace detail {

/// Cuts the range from `lower` to `upper` into pieces whose lengths differ by at most one cell, the longer ones first.
/// @throws error(argument) for fewer than 1 piece.
std::vector<index_t> even_cuts(index_t lower, index_t upper, index_t pieces);

/// The number of pieces along each dimension that gives exactly `pieces` pieces and makes the largest piece, with one
/// layer of cells around it, as small as possible. Among equal choices, dimension 0 is cut least, so that its rows stay
/// long.
/// @throws error(argument) for fewer than 1 piece.
template <int N> point<N> pieces_for(const box<N>& cells, int pieces);

}  // namespace detail

/// Options of `decompose`. They must be the same on all ranks.
template <int N> struct decompose_options {
  /// The largest extent of a block in each dimension, in cells; 0 sets no limit. (AMReX: max_grid_size.)
  point<N> largest{};
  /// The corners of all blocks are multiples of this number in each dimension, as `level_coupling` and multigrid need
  /// them. The corners of the box must be multiples, too. (AMReX: blocking_factor.)
  point<N> multiple_of = filled<N>(1);
  /// How the blocks are assigned to ranks. Only used together with `largest`.
  balance_options owners{};
};

/// Cuts a box among `ranks` ranks. Without options each rank gets one block: from a grid of blocks with short
/// edges, or by bisection if that makes the largest block a tenth smaller (for 7 ranks, for example, the only grid is a
/// row). With `largest`, the box is cut into as few even blocks as the limit allows, but into at least one for every
/// rank if there are enough cells, and the blocks are assigned to the ranks by `owners`.
/// @throws error(argument) for fewer than 1 rank, a negative `largest`, a `multiple_of` below 1 or above a `largest`
/// that
///   is not 0, a box whose corners are no multiples of it, or owners' weights that `balance` refuses
template <int N> floor_plan<N> decompose(const box<N>& cells, int ranks, const decompose_options<N>& options = {});

/// Cuts a box into a grid of `pieces` even blocks. Without owners, rank i owns block i.
/// @throws error(argument) for a dimension in fewer than 1 piece, or a number of owners other than the number of
///         blocks.
template <int N> floor_plan<N> even_blocks(const box<N>& cells, const point<N>& pieces, const owner_map& owners = {});

/// Makes a grid of blocks from the cuts of each dimension. Without owners, rank i owns block i.
/// @throws error(argument) for a dimension with fewer than two cuts or with cuts that descend, or a number of owners
///         other than the number of blocks.
template <int N> floor_plan<N> cut_blocks(const block_cuts<N>& cuts, const owner_map& owners = {});

/// Cuts a box into blocks of `block` cells (the last block of a dimension may be smaller) and assigns them in turn,
/// along every dimension, to the places of a process grid. This is ScaLAPACK's distribution in N dimensions; the block
/// at `cells.lower` goes to place 0.
/// @param ranks the rank at each place of the process grid, dimension 0 fastest; if empty, rank i stands at place i
/// @throws error(argument) for a block or process grid with an extent below 1, or a number of ranks other than the
///         number of places.
template <int N>
floor_plan<N> block_cyclic(const box<N>& cells, const point<N>& block, const point<N>& process_grid,
                           const owner_map& ranks = {});

/// Cuts a box into any number of nearly equal blocks, block i for rank i: the box is halved along its longest
/// dimension, in the ratio of the numbers of ranks on both sides, and so is each half until one rank is left.
/// @throws error(argument) for fewer than 1 rank.
template <int N> floor_plan<N> bisected_blocks(const box<N>& cells, int ranks);

}  // namespace wherry
