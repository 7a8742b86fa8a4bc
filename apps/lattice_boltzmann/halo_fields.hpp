/// @file
/// The populations as Wherry's halo exchange sees them.
#pragma once

#include <vector>

#include "halo.hpp"

namespace lattice_boltzmann {

/// Each population is a field with a halo only on the sides from which it flies in; with a full halo, on all sides that
/// are cut.
std::vector<wherry::halo_field> halo_fields(const halo_parts& parts, population_field& array);

}  // namespace lattice_boltzmann
