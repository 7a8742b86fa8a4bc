/// @file
/// A Cartesian grid of ranks: 1 to 4 dimensions, mesh or torus in each, on any communicator (paper 1, section 2).
#pragma once

#include <array>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

/// Where ranks are placed in a grid.
enum class rank_order {
  rows,        ///< row by row, the last dimension fastest, as MPI_Cart_create does
  columns,     ///< the first dimension fastest, as codes do that count x + nx × (y + ny × z)
  node_bricks  ///< the ranks of a node make a brick as compact as can be, so that less has to leave the node
};

/// What a process grid looks like. `{.periodic = {true, true, true}}` is a three-dimensional torus of all ranks.
struct process_grid_options {
  std::vector<bool> periodic{};  ///< one a dimension; says how many dimensions there are
  std::vector<int> extents{};    ///< ranks along each dimension; empty or 0: chosen as by MPI_Dims_create
  rank_order order = rank_order::rows;
};

/// Which rank is where in a grid. A pure value; no MPI.
class rank_placement {
 public:
  rank_placement() = default;
  /// Row by row, the last dimension fastest; in bricks where `brick` says how many ranks of each dimension make one.
  /// @throws error(argument) where an extent is not positive, or `brick` does not divide them
  static rank_placement in_rows(std::vector<int> extents, std::vector<int> brick = {});
  /// The first dimension fastest.
  static rank_placement in_columns(std::vector<int> extents);

  const std::vector<int>& extents() const { return extents_; }
  const std::vector<int>& brick() const { return brick_; }
  int size() const;
  /// @pre 0 <= rank < size()
  std::array<int, max_halo_dimensions> coordinates(int rank) const;
  int rank_at(const std::array<int, max_halo_dimensions>& at) const;

 private:
  rank_placement(std::vector<int> extents, std::vector<int> brick, bool columns);
  /// From the slowest dimension to the fastest.
  std::size_t dimension(std::size_t place) const { return columns_ ? extents_.size() - 1 - place : place; }

  std::vector<int> extents_, brick_;
  bool columns_ = false;
};

/// A value. Ranks of the communicator beyond the product of the extents are not in the grid, own nothing, and still
/// take part in what is collective.
class process_grid {
 public:
  /// Collective over `comm`. Ranks are placed row by row, the last dimension fastest, as MPI_Cart_create does; in
  /// columns; or in bricks: where all nodes have as many ranks, one after the other, and the grid can be made of such
  /// bricks; else row by row (see `brick`). On a Cartesian communicator, missing extents and periodicity are its own.
  /// @throws error on all ranks alike: 0 or more than 4 dimensions, extents that need more ranks than there are,
  ///         ranks that disagree.
  explicit process_grid(const communicator& comm, const process_grid_options& options = {});
  // No moves, so that none is ever without extents.
  process_grid(const process_grid&) = default;
  process_grid& operator=(const process_grid&) = default;

  const communicator& comm() const { return comm_; }
  int dimensions() const { return static_cast<int>(extents().size()); }
  const std::vector<int>& extents() const { return placed_.extents(); }
  const std::vector<bool>& periodic() const { return periodic_; }

  /// Ranks of one node along each dimension; all 1: they are placed row by row.
  const std::vector<int>& brick() const { return placed_.brick(); }

  /// Ranks in the grid.
  int size() const { return placed_.size(); }
  bool contains(int rank) const { return rank >= 0 && rank < size(); }
  /// @pre contains(rank)
  std::array<int, max_halo_dimensions> coordinates(int rank) const { return placed_.coordinates(rank); }
  int rank_at(const std::array<int, max_halo_dimensions>& at) const { return placed_.rank_at(at); }

 private:
  communicator comm_;
  rank_placement placed_;
  std::vector<bool> periodic_;
};

/// The brick of `ranks` ranks that has the fewest neighbours outside, and of which a grid of these extents can be made;
/// all 1: there is none. Local.
std::vector<int> node_brick(const std::vector<int>& extents, const std::vector<bool>& periodic, int ranks);

/// The cells of this rank, by their global indices, when a box of `cells` is cut evenly over a process grid. Empty on
/// ranks outside the grid, and on ranks for which no cells are left. Local, for 1 to 4 dimensions.
/// @param axes `axes[i]` is the grid dimension that data dimension i is cut along (paper 1, section 4: the mapping
///        `layout_map`); without, the same. Data dimensions beyond the grid's are not cut.
/// @throws error(argument) when `axes` names a grid dimension twice or one that does not exist; a negative extent.
template <int N> box<N> owned_box(const process_grid& grid, const point<N>& cells, const std::vector<int>& axes = {});

}  // namespace wherry
