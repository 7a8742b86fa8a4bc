/// @file
/// Packing by hand: what is written where MPI's datatypes are not trusted to be fast.
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

/// Copies these populations of these cells to `to`, and gives the end of what was written. SoA: row by row; AoS: cell
/// by cell. `unpack_cells` is the way back.
double* pack_cells(const populations& f, const range3& cells, std::span<const int> which, double* to);
const double* unpack_cells(const double* from, const populations& f, const range3& cells, std::span<const int> which);

}  // namespace lattice_boltzmann
