/// @file
/// Checks that all ways to make a step have the same result.
#pragma once

#include "options.hpp"

namespace lattice_boltzmann {

/// Collective. Makes the same steps with every exchange, layout, way to step and kind of halo; all must end with the
/// same populations. Returns the exit status.
int check(const run_options& given, int rank);

}  // namespace lattice_boltzmann
