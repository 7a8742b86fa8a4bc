/// @file
/// Packs by hand, as programs do that do not trust MPI's datatypes to be fast.
#pragma once

#include <cstddef>
#include <span>

#include "kernels.hpp"

namespace lattice_boltzmann {

inline std::size_t size_of(const range3& cells) {
  std::size_t count = 1;
  for (int d = 0; d < 3; ++d) count *= static_cast<std::size_t>(cells.upper[d] - cells.lower[d]);
  return count;
}

/// Copies these populations of these cells to `to`, and returns the end of the written doubles. The order is row by row
/// for SoA, and cell by cell for AoS. `unpack_cells` is the reverse.
double* pack_cells(const populations& f, const range3& cells, std::span<const int> which, double* to);
const double* unpack_cells(const double* from, const populations& f, const range3& cells, std::span<const int> which);

}  // namespace lattice_boltzmann
