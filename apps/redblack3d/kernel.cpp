// Compiled several times, with another KERNELS and other processor flags each. So nothing here may come from a header
// with inline functions: the linker would keep one copy of them, perhaps a copy that this processor cannot run.
#include "kernel.hpp"

namespace redblack3d {
namespace {

/// Prefetches a row some rows ahead: processors foresee sequential reads only up to the end of a page, and a page is a
/// few rows. This saves a third of the time once the arrays are larger than the caches.
void prefetch(const double* row, long cells) {
  for (long x = 0; x < cells; x += 8) __builtin_prefetch(row + x);
}
constexpr long rows_ahead = 3;

/// Computes all cells of a row, vector by vector, and keeps every other one. The two steps are separate, because a
/// vector that reads cells that were just written beside it would wait for them. `first` is the first cell that
/// changes.
void relax_row(double* row, const double* south, const double* north, const double* below, const double* above,
               const double* f, long cells, long first) {
  double relaxed[longest_row];
#pragma omp simd
  for (long x = 0; x < cells; ++x) {
    const double sides = (row[x - 1] + row[x + 1]) + (south[x] + north[x]) + (below[x] + above[x]);
    relaxed[x] = (sides - f[x]) * (1.0 / 6);
  }
  for (long x = first; x < cells; x += 2) row[x] = relaxed[x];
}

void relax(const array3& u, const array3& f, const range3& cells, long colour) {
  const long x = cells.lower[0], count = cells.upper[0] - x;
  for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (long y = cells.lower[1]; y < cells.upper[1]; ++y) {
      prefetch(u.at(x, y, z + 1) + rows_ahead * u.row, count);
      prefetch(f.at(x, y, z) + rows_ahead * f.row, count);
      relax_row(u.at(x, y, z), u.at(x, y - 1, z), u.at(x, y + 1, z), u.at(x, y, z - 1), u.at(x, y, z + 1),
                f.at(x, y, z), count, ((x + y + z) ^ colour) & 1);
    }
}

}  // namespace

extern const kernel_set KERNELS;
const kernel_set KERNELS = {KERNELS_NAME, relax};

}  // namespace redblack3d
