/// @file
/// The layout of the populations in memory.
#pragma once

#include "wherry/wherry.hpp"

#include "subdomain.hpp"

namespace lattice_boltzmann {

/// Structure of arrays: all cells' population 0, then all cells' population 1, … Array of structures: a cell's
/// populations side by side.
enum class memory_layout { soa, aos };

/// Dimensions x, y, z, population; one layer of halo cells in x, y and z (none in z for a lattice of two dimensions).
/// The array is in memory that the ranks of a node share, so that a neighbour can read it in place.
using population_field = wherry::field<double, 4>;

inline population_field make_field(const subdomain& mine, const model& lattice, memory_layout order) {
  const wherry::index_t z = lattice.dimensions == 3 ? 1 : 0;
  const wherry::layout<4> places =
      order == memory_layout::soa ? wherry::fortran_layout<4>() : wherry::layout<4>{{1, 2, 3, 0}};
  return {mine.grid.comm(),
          {mine.extent[0], mine.extent[1], mine.extent[2], lattice.populations},
          {{1, 1, z, 0}, {1, 1, z, 0}},
          {.layout = places, .pad_rows = order == memory_layout::soa}};
}

inline populations populations_of(population_field& field) {
  const auto& stride = field.strides();
  return {field.origin(), stride[3], {stride[0], stride[1], stride[2]}};
}

}  // namespace lattice_boltzmann
