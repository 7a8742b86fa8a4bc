/// @file
/// Process grids: they arrange the ranks of a communicator in 1 to 4 dimensions, each of which may be periodic (GCL,
/// section 2).
///
///     wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true, true, false}});  // a torus in x and y only
///     auto mine = wherry::owned_box(grid, {200, 100, 80});                        // this rank's cells
///     wherry::field<double, 3> u(grid.comm(), mine.extents(), 2);
///
/// If a rank has several boxes, or boxes of any other arrangement, use a floor plan (motion/floor_plan.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

/// The order in which ranks are placed in a grid.
enum class rank_order {
  rows,        ///< the last dimension fastest, as MPI_Cart_create does
  columns,     ///< the first dimension fastest: rank = x + nx * (y + ny * z)
  node_bricks  ///< the ranks of a node form a compact brick, so that less data leaves the node
};

/// Options of a process grid. They must be the same on all ranks. `{.periodic = {true, true, true}}` describes a
/// three-dimensional torus of all ranks, and `{.extents = {4, 0}}` a grid of 4 rows of ranks that wraps around nowhere.
struct process_grid_options {
  /// For each dimension, true if it wraps around. If the list is empty, it is taken from a Cartesian communicator; with
  /// any other communicator no dimension wraps around. If both `periodic` and `extents` are given, each has one entry
  /// for each dimension.
  std::vector<bool> periodic{};
  /// Number of ranks along each dimension. MPI_Dims_create chooses extents that are 0, and all if the list is empty.
  std::vector<int> extents{};
  rank_order order = rank_order::rows;
};

namespace detail {

/// The assignment of ranks to the places of a grid. A local value; makes no MPI call.
class rank_placement {
 public:
  rank_placement() = default;
  /// Places the ranks with the last dimension fastest, or in bricks.
  /// @param brick number of ranks of a brick along each dimension; if empty, there are no bricks
  /// @throws error(argument) for more than 4 dimensions, an extent that is not positive, or a brick that does not
  ///         divide the extents
  static rank_placement in_rows(std::vector<int> extents, std::vector<int> brick = {});
  /// Places the ranks with the first dimension fastest. @throws as `in_rows`.
  static rank_placement in_columns(std::vector<int> extents);

  const std::vector<int>& extents() const { return extents_; }
  const std::vector<int>& brick() const { return brick_; }
  int size() const;
  /// @pre 0 <= rank < size()
  std::array<int, max_halo_dimensions> coordinates(int rank) const;
  int rank_at(const std::array<int, max_halo_dimensions>& at) const;

 private:
  rank_placement(std::vector<int> extents, std::vector<int> brick, bool columns);
  /// The dimension at an index of the list from the slowest to the fastest.
  std::size_t dimension(std::size_t place) const { return columns_ ? extents_.size() - 1 - place : place; }

  std::vector<int> extents_, brick_;
  bool columns_ = false;
};

}  // namespace detail

/// A process grid, a value that is cheap to copy. If the grid has fewer places than the communicator has ranks, the
/// last ranks are outside the grid: they own nothing but still take part in collective calls.
class process_grid {
 public:
  /// Collective over `comm`. On a Cartesian communicator, options that are left out are taken from the communicator.
  /// Bricks are possible if every node has the same number of consecutive ranks and the grid can be divided into such
  /// bricks; otherwise the ranks are placed in rows (see `brick`).
  /// @throws error(argument) on all ranks alike for 0 or more than 4 dimensions, a negative extent, extents that need
  ///         more ranks than there are, or, if some extents are left open, given extents that do not divide the number
  ///         of ranks; error(mismatch) if options differ between ranks.
  explicit process_grid(const communicator& comm, const process_grid_options& options = {});
  // Not movable, so that every grid has its extents.
  process_grid(const process_grid&) = default;
  process_grid& operator=(const process_grid&) = default;

  const communicator& comm() const { return comm_; }
  int dimensions() const { return static_cast<int>(extents().size()); }
  const std::vector<int>& extents() const { return placed_.extents(); }
  const std::vector<bool>& periodic() const { return periodic_; }

  /// The number of ranks of one node along each dimension; all 1 if the ranks are not placed in bricks.
  const std::vector<int>& brick() const { return placed_.brick(); }

  /// The number of ranks in the grid.
  int size() const { return placed_.size(); }
  bool contains(int rank) const { return rank >= 0 && rank < size(); }
  /// @pre contains(rank)
  std::array<int, max_halo_dimensions> coordinates(int rank) const { return placed_.coordinates(rank); }
  int rank_at(const std::array<int, max_halo_dimensions>& at) const { return placed_.rank_at(at); }

  /// The rank that owns a cell if `cells` cells along each dimension are divided as `owned_box` divides them, with data
  /// dimension i cut along grid dimension i. Along a periodic dimension a cell beyond the edge is the one that wraps
  /// around; a cell beyond any other edge has no owner: -1. Local; `cell` and `cells` are a `point<1>` to `point<4>`.
  /// @throws error(argument) if the grid has several ranks along a dimension that the cells do not have
  template <std::size_t N> int owner_of(const std::array<index_t, N>& cell, const std::array<index_t, N>& cells) const;
  /// The box of the rank that owns a cell, inside the domain even if the cell wraps around; empty if the cell has no
  /// owner. @throws as `owner_of`
  template <std::size_t N>
  box<static_cast<int>(N)> box_of(const std::array<index_t, N>& cell, const std::array<index_t, N>& cells) const;

 private:
  /// Finds, along each dimension, the piece that has the cell. Returns false if there is none.
  template <std::size_t N>
  bool find(const std::array<index_t, N>& cell, const std::array<index_t, N>& cells,
            std::array<int, max_halo_dimensions>& at) const;
  int pieces(std::size_t dimension) const { return dimension < extents().size() ? extents()[dimension] : 1; }

  communicator comm_;
  detail::rank_placement placed_;
  std::vector<bool> periodic_;
};

namespace detail {

/// The extents of the brick of `ranks` ranks with the fewest neighbours outside it, among those that divide a grid of
/// these extents; all 1 if there is none or if the brick is the whole grid. Local.
std::vector<int> node_brick(const std::vector<int>& extents, const std::vector<bool>& periodic, int ranks);

}  // namespace detail

/// The box of this rank, in global indices, if `cells` cells along each dimension are divided evenly over a process
/// grid. The box is empty on ranks outside the grid and on ranks for which no cells are left. Local, for 1 to 4
/// dimensions.
/// @param axes `axes[i]` is the grid dimension along which data dimension i is cut, or -1 if it is not cut (GCL,
///        section 4: `layout_map`). If empty, data dimension i is cut along grid dimension i, and data dimensions
///        beyond the grid's are not cut.
/// @throws error(argument) for a negative number of cells, or if `axes` names a grid dimension that does not exist,
///         names one twice, or omits one with several ranks.
template <int N> box<N> owned_box(const process_grid& grid, const point<N>& cells, const std::vector<int>& axes = {});
/// The overload for extents in braces.
template <std::size_t N>
box<static_cast<int>(N)> owned_box(const process_grid& grid, const index_t (&cells)[N],
                                   const std::vector<int>& axes = {}) {
  return owned_box<static_cast<int>(N)>(grid, std::to_array(cells), axes);
}

}  // namespace wherry
