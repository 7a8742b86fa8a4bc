// Compiled several times, with another RB_KERNELS and other processor flags each. So nothing here may come from a
// header with inline functions: the linker would keep one copy of them, perhaps the one that this processor cannot run.
#include "kernel.hpp"

namespace redblack3d {
namespace {

/// All cells of the row are found and those of one colour kept: half the work is thrown away, but vectors go through
/// whole cache lines, and memory is the limit. `odd`: whether the cells at odd places of the row change.
void relax_row(double* __restrict row, const double* south, const double* north, const double* below,
               const double* above, const double* f, long cells, bool odd) {
  const long changes = odd ? 1 : 0;
#pragma omp simd
  for (long x = 0; x < cells; ++x) {
    const double sides = (row[x - 1] + row[x + 1]) + (south[x] + north[x]) + (below[x] + above[x]);
    const double relaxed = (sides - f[x]) * (1.0 / 6);
    row[x] = (x & 1) == changes ? relaxed : row[x];
  }
}

void relax(const array3& u, const array3& f, const range3& cells, long colour) {
  const long x = cells.lower[0], count = cells.upper[0] - x;
  for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (long y = cells.lower[1]; y < cells.upper[1]; ++y)
      relax_row(u.at(x, y, z), u.at(x, y - 1, z), u.at(x, y + 1, z), u.at(x, y, z - 1), u.at(x, y, z + 1),
                f.at(x, y, z), count, ((x + y + z) & 1) != colour);
}

}  // namespace

extern const kernel_set RB_KERNELS;
const kernel_set RB_KERNELS = {RB_NAME, relax};

}  // namespace redblack3d
