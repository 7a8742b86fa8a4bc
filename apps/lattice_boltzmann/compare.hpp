/// @file
/// All exchanges beside each other.
#pragma once

#include "options.hpp"

namespace lattice_boltzmann {

phases mean_over_ranks(const phases& mine, MPI_Comm comm);

/// Collective. Times all exchanges in interleaved rounds, prints their steps, phases and ratios. Gives the exit status:
/// not 0 where their populations differ.
int compare(const run_options& given, int rank);

}  // namespace lattice_boltzmann
