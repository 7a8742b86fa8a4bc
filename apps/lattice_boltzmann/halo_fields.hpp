/// @file
/// The populations as Wherry's halo exchange sees them.
#pragma once

#include <vector>

#include "halo.hpp"

namespace lattice_boltzmann {

/// Each population is a field whose halo lies only on the sides that it flies in from; of a full halo, on all sides
/// that are cut.
std::vector<wherry::halo_field> halo_fields(const halo_parts& parts, population_field& array);

}  // namespace lattice_boltzmann
