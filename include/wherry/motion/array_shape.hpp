/// @file
/// Describes where the cells of an x-array lie in memory, without its element type. Movers and array files work on this
/// description, so that they are compiled once for all element types.
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

/// The first byte of one grid, or of one part of an index domain, in an array's memory.
struct piece_range {
  std::int32_t piece = 0;  ///< index of the piece of memory in the array's list
  index_t lowest = 0;      ///< offset of the lowest byte in that piece
};

/// An element whose type is known at run time only. An array of bytes, `x_array<std::byte, N>`, is an array of such
/// elements if its options say so; the strides of its grids are then in bytes. Language bindings use it.
struct run_time_element {
  index_t bytes = 0;  ///< 0: the elements are of the array's element type
  plans::element_type type{};
};

/// One grid of this rank.
template <int N> struct placed_grid {
  int number = 0;                ///< the box's number in the floor plan
  int field = 0;                 ///< index of the array's piece of memory that holds the grid
  index_t offset = 0;            ///< bytes from the start of that memory to the first cell of `whole`
  box<N> whole{};                ///< the grid's values, ghost values included
  point<N> strides{};            ///< bytes
  index_t component_stride = 0;  ///< bytes
};

/// The shape of an x-array on this rank: its options, and the place of each of its grids.
template <int N> struct array_shape {
  std::shared_ptr<const floor_plan<N>> plan;
  halo_widths<N> ghost_width{0};
  wherry::centring<N> centring{};
  wherry::layout<N> layout = fortran_layout<N>();
  index_t element = 1;         ///< bytes
  plans::element_type type{};  ///< kind and bytes of the numbers in an element
  int components = 1;
  std::string name;
  memory_space space = memory_space::host;
  std::vector<placed_grid<N>> grids;  ///< the grids of this rank, ascending by number
  std::vector<index_t> bytes;         ///< the size of each piece of memory; 0 if it is not known
  std::uint64_t fingerprint = 0;      ///< equal for arrays whose cells are in the same places

  /// The values of a box without ghost values. The box may belong to another rank.
  box<N> core(int number) const { return values_of((*plan)[number], centring); }
  /// The values of a box with its ghost values.
  box<N> whole(int number) const { return grow<N>(core(number), ghost_width.minus, ghost_width.plus); }
  /// The grid with this number, or null if this rank does not own it.
  const placed_grid<N>* find(int number) const;
  /// The ranges of all grids, in the order of `grids`. The ranges do not interleave.
  std::vector<piece_range> ranges() const;
};

/// Gives every grid of `rank` its place in one piece of memory. Each grid gets cache lines of its own, and the starts
/// of the grids are spread so that they do not compete for the same cache sets.
template <int N> void place_grids(array_shape<N>& shape, int rank, bool pad_rows);

/// Computes `array_shape::fingerprint`.
template <int N> std::uint64_t fingerprint_of(const array_shape<N>& shape);

/// A summary of an array in a few numbers. An error text uses it to say how two arrays with different fingerprints
/// differ.
struct array_figures {
  plans::element_type type{};
  int dimensions = 0;  ///< 0 for an index domain
  int components = 1;
  std::size_t pieces = 0;  ///< number of grids or parts on this rank
  index_t points = 0;      ///< sum over all pieces, ghost cells included
  /// Number of the first piece; bytes from one of its points to the next; bytes from the first to the last point of all
  /// pieces.
  index_t first_number = 0, first_stride = 0, span = 0;

  /// Names the first difference, such as "has 2 components where the mover was made for 1".
  std::string difference_from(const array_figures& wanted) const;
};
template <int N> array_figures figures_of(const array_shape<N>& shape);

}  // namespace wherry::detail
