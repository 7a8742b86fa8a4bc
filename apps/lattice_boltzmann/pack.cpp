#include "pack.hpp"

#include <algorithm>

namespace lattice_boltzmann {
namespace {

// begin: what a user writes
/// Calls `visit(population, x, y, z, count, axis)` for all runs of doubles, in the order in which they are packed: row
/// by row in SoA, columns where a row has one cell; in AoS cell by cell of a row.
template <class Visit>
void for_each_run(const populations& f, const range3& cells, std::span<const int> which, Visit visit) {
  const auto [x, y_first, z_first] = cells.lower;
  const long width = cells.upper[0] - x, height = cells.upper[1] - y_first;
  if (f.stride[0] == 1) {
    for (const int q : which)
      for (long z = z_first; z < cells.upper[2]; ++z)
        if (width > 1)
          for (long y = y_first; y < cells.upper[1]; ++y) visit(q, x, y, z, width, 0);
        else
          visit(q, x, y_first, z, height, 1);
  } else {
    for (long z = z_first; z < cells.upper[2]; ++z)
      for (long y = y_first; y < cells.upper[1]; ++y)
        for (const int q : which) visit(q, x, y, z, width, 0);
  }
}
// end

}  // namespace

// begin: what a user writes
double* pack_cells(const populations& f, const range3& cells, std::span<const int> which, double* to) {
  for_each_run(f, cells, which, [&](int q, long x, long y, long z, long count, int axis) {
    const double* run = f.at(q, x, y, z);
    const std::ptrdiff_t step = f.stride[axis];
    if (step == 1)
      std::copy_n(run, count, to);
    else
      for (long i = 0; i < count; ++i) to[i] = run[i * step];
    to += count;
  });
  return to;
}

const double* unpack_cells(const double* from, const populations& f, const range3& cells, std::span<const int> which) {
  for_each_run(f, cells, which, [&](int q, long x, long y, long z, long count, int axis) {
    double* run = f.at(q, x, y, z);
    const std::ptrdiff_t step = f.stride[axis];
    if (step == 1)
      std::copy_n(from, count, run);
    else
      for (long i = 0; i < count; ++i) run[i * step] = from[i];
    from += count;
  });
  return from;
}
// end

}  // namespace lattice_boltzmann
