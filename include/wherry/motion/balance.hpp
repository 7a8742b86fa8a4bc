/// @file
/// Assigns the boxes of a floor plan to ranks (KeLP's Map; KeLP, section 2): in turn, along a space-filling curve, or
/// by weight.
///
///     auto plan = wherry::balance(boxes, ranks, {.weights = work});
///     if (wherry::loads_of(plan, ranks, work).imbalance() > 1.2)
///       plan = wherry::balance(boxes, ranks, {.method = wherry::assignment::heaviest_first, .weights = work});
///
/// All functions are local, pure and deterministic: ranks that pass the same arguments get the same owners without
/// communication. The cost is nearly linear in the number of boxes. To cut a domain and assign the boxes in one call,
/// use `decompose` (decompose.hpp).
#pragma once

#include <span>
#include <vector>

#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// How boxes are assigned to ranks.
enum class assignment {
  round_robin,          ///< box i goes to rank i modulo the number of ranks
  along_morton_curve,   ///< each rank gets a piece of a Z-order curve, so that nearby boxes stay together
  along_hilbert_curve,  ///< each rank gets a piece of a Hilbert curve, which is more compact
  heaviest_first,       ///< each box, heaviest first, goes to the least loaded rank: balance before locality
  in_order              ///< each rank gets a piece of the list of boxes as it is
};

/// Options of `balance`. They must be the same on all ranks.
struct balance_options {
  assignment method = assignment::along_hilbert_curve;
  /// The work of each box, finite and at least 0. If empty, the work of a box is its number of cells.
  std::vector<double> weights{};
};

/// Assigns the boxes of `plan` to `ranks` ranks anew; their previous owners are ignored. With a curve and with
/// `in_order`, every rank gets one contiguous run of boxes, and the heaviest run is as light as possible. If there are
/// more ranks than boxes, some ranks own none.
/// @throws error(argument) for a partial floor plan, fewer than 1 rank, a number of weights other than the number of
///         boxes, or a weight that is negative or not finite.
template <int N> floor_plan<N> balance(const floor_plan<N>& plan, int ranks, const balance_options& options = {});

/// The owners 0, 1, …, ranks - 1, 0, 1, ….
/// @throws error(argument) for fewer than 1 rank or a negative number of boxes.
owner_map round_robin(int boxes, int ranks);
/// The rank at each place of a process grid that numbers its ranks with the last dimension fastest, as MPI's Cartesian
/// communicators and ScaLAPACK's row-major grids do. The places are listed with dimension 0 fastest, as `block_cyclic`
/// expects them.
/// @throws error(argument) for an extent below 1.
template <int N> owner_map row_major(const point<N>& process_grid);
/// Assigns each box, heaviest first, to the rank with the smallest load so far.
/// @throws error(argument) for fewer than 1 rank, or a weight that is negative or not finite.
owner_map heaviest_first(std::span<const double> weights, int ranks);
namespace detail {

/// Cuts the list of boxes into contiguous runs, one a rank, so that the heaviest run is as light as possible.
/// @throws error(argument) for fewer than 1 rank, or a weight that is negative or not finite.
owner_map contiguous_runs(std::span<const double> weights, int ranks);

}  // namespace detail

/// The load of each rank, and how unevenly the ranks are loaded.
struct load_balance {
  std::vector<double> loads;  ///< for each rank, the sum of the weights of its boxes
  double mean = 0, largest = 0;

  /// The largest load divided by the mean load; 1 if there is no work. 1 is perfect balance; 1.2 means that a step
  /// takes a fifth longer than necessary.
  double imbalance() const { return mean > 0 ? largest / mean : 1; }
};

/// Computes the loads of `ranks` ranks under a floor plan. `weights` has one value a box, or is empty as for `balance`.
/// @throws error(argument) as `balance`, and for a box whose owner is not below `ranks`.
template <int N> load_balance loads_of(const floor_plan<N>& plan, int ranks, std::span<const double> weights = {});

namespace detail {

/// The numbers of the boxes in the order in which a Z-order curve visits their centres; of boxes with equal centres,
/// the lower number comes first. The order is exact for any coordinates: centres are not rounded to a grid.
template <int N> std::vector<int> morton_order(std::span<const box<N>> boxes);
/// Like `morton_order`, along a Hilbert curve.
template <int N> std::vector<int> hilbert_order(std::span<const box<N>> boxes);

}  // namespace detail

}  // namespace wherry
