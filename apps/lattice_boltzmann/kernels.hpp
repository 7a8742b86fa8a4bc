/// @file
/// The arithmetic of the lattice-Boltzmann method: propagation and BGK collision, the same function for every halo
/// exchange and both layouts. The file is compiled once for each kind of processor, without MPI and without Wherry.
#pragma once

#include <cstddef>

#include "lattice.hpp"

namespace lattice_boltzmann {

/// The populations of one rank's cells in one of its two arrays. Strides in doubles: `q` from one population of a cell
/// to the next, `stride[d]` from cell to cell. SoA: stride[0] is 1; AoS: q is 1. One layer of halo cells around.
struct populations {
  double* first;  ///< population 0 of the cell whose indices are all 0, the first that is not halo
  std::ptrdiff_t q, stride[3];

  double* at(int population, long x, long y, long z) const {
    return first + population * q + x * stride[0] + y * stride[1] + z * stride[2];
  }
};

/// The cells from `lower` to `upper`, which is excluded.
struct range3 {
  long lower[3], upper[3];
};

/// The work on the cells in one step. After its collision, a population stays in the cell that it will leave; the next
/// step pulls it from there.
struct sweep {
  populations from, into;
  long extent[3];  ///< cells of this rank
  bool wraps[3];   ///< a periodic axis that is not cut and needs no halo: its last cell is the first one's neighbour
  bool wall[2];    ///< a wall half a cell below the first, above the last cell of axis y
  double omega;    ///< 1 / relaxation time
  double force;    ///< along x, on each cell (Guo's scheme)
};

/// The kernels of one lattice. They put the populations that wrap around x into the halo cells of `from`.
struct lattice_kernels {
  void (*pull_and_collide)(const sweep& s, const range3& cells);  ///< into `into`, in one pass
  void (*pull)(const sweep& s, const range3& cells);              ///< into `into`
  void (*collide)(const sweep& s, const range3& cells);           ///< `into`, in place
};

/// The kernels of one kind of processor.
struct kernel_set {
  const char* name;
  lattice_kernels d2, d3;
};

/// The fastest kernels that this processor can run.
const kernel_set& kernels();

}  // namespace lattice_boltzmann
