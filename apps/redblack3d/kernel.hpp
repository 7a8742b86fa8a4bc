/// @file
/// The arithmetic of red-black Gauss-Seidel, the same function for Wherry's program and for the hand-written one. The
/// file is compiled once for each kind of processor, without MPI and without Wherry.
#pragma once

#include <cstddef>

namespace redblack3d {

/// An array of doubles over a box of global indices; x is contiguous. Strides in elements.
struct array3 {
  double* first;  ///< the element of index `lower`
  long lower[3];
  std::ptrdiff_t row, plane;

  double* at(long x, long y, long z) const {
    return first + (x - lower[0]) + (y - lower[1]) * row + (z - lower[2]) * plane;
  }
};

/// The largest number of cells along x.
inline constexpr long longest_row = 2000;

/// The indices from `lower` to `upper`, which is excluded.
struct range3 {
  long lower[3], upper[3];
};

/// The kernels of one kind of processor.
struct kernel_set {
  const char* name;
  /// Gauss-Seidel on the cells of one colour, those with (x + y + z) mod 2 = colour: u becomes the mean of its six
  /// neighbours minus a sixth of `f`, which is the right-hand side times h². Reads one cell beyond `cells`.
  void (*relax)(const array3& u, const array3& f, const range3& cells, long colour);
};

/// The fastest kernels that this processor can run.
const kernel_set& kernels();

}  // namespace redblack3d
