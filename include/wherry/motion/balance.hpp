/// @file
/// Who owns which box: owner maps (KeLP's Map, paper 4, section 2) by turns, along a space-filling curve, or by weight.
/// Pure and deterministic: ranks that have the same boxes get the same owners without talking. The cost is near linear
/// in the boxes.
#pragma once

#include <span>
#include <vector>

#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// How boxes are dealt to ranks.
enum class deal {
  round_robin,          ///< box i to rank i modulo the ranks
  along_morton_curve,   ///< pieces of a Z-order curve: what is near stays together
  along_hilbert_curve,  ///< pieces of a Hilbert curve: more compact still
  heaviest_first,       ///< each box, from the heaviest on, to whoever has least: loads as equal as they get
  in_order              ///< pieces of the list of boxes as it is
};

/// What `balance` goes by. The same on all ranks.
struct balance_options {
  deal method = deal::along_hilbert_curve;
  /// The work of each box, at least 0; empty: its number of cells.
  std::vector<double> weights{};
};

/// The same boxes, dealt to `ranks` ranks anew. Along a curve, and in order, every rank gets one run of boxes, and the
/// heaviest rank is as light as such runs allow. With more ranks than boxes some ranks own none.
/// @throws error(argument) for a partial floor plan, fewer than 1 rank, or weights that are not one a box and finite.
template <int N> floor_plan<N> balance(const floor_plan<N>& plan, int ranks, const balance_options& how = {});

/// 0, 1, … ranks-1, 0, 1, …
owner_map round_robin(int boxes, int ranks);
/// The ranks of a process grid in the order of its places, dimension 0 fastest, where ranks are numbered with the last
/// dimension fastest: as MPI's Cartesian communicators and ScaLAPACK's row-major grids have them.
template <int N> owner_map row_major(const point<N>& process_grid);
/// Each box, from the heaviest on, to the rank with least so far.
owner_map heaviest_first(std::span<const double> weights, int ranks);
/// Contiguous runs of the list whose heaviest is as light as can be.
owner_map contiguous_runs(std::span<const double> weights, int ranks);

/// What a rank has to do with, and how uneven that is.
struct load_balance {
  std::vector<double> loads;  ///< the sum of the weights of each rank's boxes
  double mean = 0, largest = 0;

  /// The largest load over the mean: 1 is perfect, and what a step takes longer than it need. 1 when there is no work.
  double imbalance() const { return mean > 0 ? largest / mean : 1; }
};

/// The loads of a complete floor plan over `ranks` ranks; weights as for `balance`.
template <int N> load_balance loads_of(const floor_plan<N>& plan, int ranks, std::span<const double> weights = {});

/// The numbers of the boxes in the order in which a space-filling curve visits their centres; of equal centres the
/// lower number first. Exact for any coordinates: nothing is rounded to a grid.
template <int N> std::vector<int> morton_order(std::span<const box<N>> boxes);
template <int N> std::vector<int> hilbert_order(std::span<const box<N>> boxes);

}  // namespace wherry
