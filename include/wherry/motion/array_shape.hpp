/// @file
/// Where the cells of an x-array are, with the element type erased: what the blocks module works on below its surface.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "wherry/core/memory_space.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/geometry/layout.hpp"
#include "wherry/motion/floor_plan.hpp"
#include "wherry/plan/element.hpp"

namespace wherry::detail {

/// Which bytes of an array's memory hold one grid, or one part of an index domain.
struct piece_range {
  std::int32_t piece = 0;  ///< of the array's pieces of memory
  index_t lowest = 0;      ///< byte
};

/// One grid of this rank.
template <int N> struct placed_grid {
  int number = 0;                ///< in the floor plan
  int field = 0;                 ///< which of the array's pieces of memory
  index_t offset = 0;            ///< bytes from that memory to the first cell of `whole`
  box<N> whole{};                ///< its values, ghost values included
  point<N> strides{};            ///< bytes
  index_t component_stride = 0;  ///< bytes
};

template <int N> struct array_shape {
  std::shared_ptr<const floor_plan<N>> plan;
  halo_widths<N> ghost{0};
  centring<N> on{};
  layout<N> order = fortran_layout<N>();
  index_t element = 1;  ///< bytes
  element_type type{};  ///< what an element consists of
  int components = 1;
  std::string name;
  memory_space space = memory_space::host;
  std::vector<placed_grid<N>> grids;  ///< this rank's, ascending by number
  std::vector<index_t> bytes;         ///< of each piece of memory; 0: not known
  std::uint64_t fingerprint = 0;      ///< equal for arrays whose cells are in the same places

  /// The values of a box, without ghost values; also of other ranks' boxes.
  box<N> core(int number) const { return values_of((*plan)[number], on); }
  /// The same with ghost values.
  box<N> whole(int number) const { return grow<N>(core(number), ghost.minus, ghost.plus); }
  /// This rank's grid of that number, or null.
  const placed_grid<N>* find(int number) const;
  /// Of all grids, in their order. No two of them lie between each other.
  std::vector<piece_range> ranges() const;
};

/// Gives every grid of `rank` its place in one piece of memory: cache lines of its own, and starts that do not compete
/// for the same cache sets.
template <int N> void place_grids(array_shape<N>& shape, int rank, bool pad_rows);

/// What `array_shape::fingerprint` must be.
template <int N> std::uint64_t fingerprint_of(const array_shape<N>& shape);

/// What can be said of an array in a few numbers: for the error that says how two of different fingerprints differ.
struct array_figures {
  element_type type{};
  int dimensions = 0;  ///< 0: an index domain
  int components = 1;
  std::size_t pieces = 0;  ///< of this rank: grids or parts
  index_t points = 0;      ///< of all pieces, ghost cells included
  index_t first_number = 0, first_stride = 0,
          span = 0;  ///< the first piece's number, bytes to its next point; of all
                     ///< pieces together, bytes from their first to their last point

  /// "has 2 components where the mover was made for 1": the first difference.
  std::string difference_from(const array_figures& wanted) const;
};
template <int N> array_figures figures_of(const array_shape<N>& shape);

}  // namespace wherry::detail
