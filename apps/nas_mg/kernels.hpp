/// @file
/// The loops of multigrid on one rank's brick of cells. The file is compiled once for each kind of processor, without
/// MPI and without Wherry.
#pragma once

#include <cstddef>

namespace nas_mg {

/// One rank's cells of one array, with a halo of one cell around. Strides in elements; x is contiguous.
struct brick {
  double* first;  ///< cell (0, 0, 0), behind the halo
  std::ptrdiff_t row, plane;
  long nx, ny, nz;

  double* at(long y, long z) const { return first + y * row + z * plane; }
};

/// The position of a fine brick on the coarse one: the parity of its first global index along each axis. Coarse cell c
/// of the brick lies on fine cell 2c + 1 - parity.
struct alignment {
  int x = 0, y = 0, z = 0;
};

/// The length of the longest row, with its halo.
inline constexpr long longest_row = 1026;

/// The kernels of one kind of processor.
struct kernel_set {
  const char* name;
  /// r = v - A u. `v` and `r` may be the same.
  void (*residual)(const brick& u, const brick& v, const brick& r, const double* a);
  /// u = u + S r
  void (*smooth)(const brick& r, const brick& u, const double* s);
  /// coarse = full weighting of fine
  void (*restrict_to)(const brick& fine, const brick& coarse, const alignment& where);
  /// u = u + trilinear interpolation of coarse, in the halo too; without `add`, u = the interpolation. Then r = v - A
  /// u.
  void (*interpolate_and_find_residual)(const brick& coarse, const brick& u, const alignment& where, bool add,
                                        const brick& v, const brick& r, const double* a);
  double (*sum_of_squares)(const brick& r);
};

/// The fastest kernels that this processor can run.
const kernel_set& kernels();

}  // namespace nas_mg
