#include "pack.hpp"

#include <algorithm>

namespace lattice_boltzmann {
namespace {

// begin: what a user writes
/// Calls `visit(first double, how many, how far apart)` for all runs of doubles, in the order in which they are packed.
template <class Visit>
void for_each_run(const populations& f, const range3& cells, std::span<const int> which, Visit visit) {
  const long width = cells.upper[0] - cells.lower[0];
  if (f.stride[0] == 1) {
    for (const int q : which)
      for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
        if (width > 1)
          for (long y = cells.lower[1]; y < cells.upper[1]; ++y) visit(f.at(q, cells.lower[0], y, z), width, 1);
        else
          visit(f.at(q, cells.lower[0], cells.lower[1], z), cells.upper[1] - cells.lower[1], f.stride[1]);
  } else {
    for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
      for (long y = cells.lower[1]; y < cells.upper[1]; ++y)
        for (const int q : which) visit(f.at(q, cells.lower[0], y, z), width, f.stride[0]);
  }
}
// end

}  // namespace

// begin: what a user writes
double* pack_cells(const populations& f, const range3& cells, std::span<const int> which, double* to) {
  for_each_run(f, cells, which, [&](const double* run, long count, std::ptrdiff_t step) {
    if (step == 1)
      to = std::copy_n(run, count, to);
    else
      for (long i = 0; i < count; ++i) *to++ = run[i * step];
  });
  return to;
}

const double* unpack_cells(const double* from, const populations& f, const range3& cells, std::span<const int> which) {
  for_each_run(f, cells, which, [&](double* run, long count, std::ptrdiff_t step) {
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
