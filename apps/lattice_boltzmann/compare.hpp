/// @file
/// Compares all exchanges.
#pragma once

#include "options.hpp"

namespace lattice_boltzmann {

phases mean_over_ranks(const phases& mine, MPI_Comm comm);

/// Collective. Times all exchanges in interleaved rounds and prints their steps, phases and ratios. Returns the exit
/// status, which is not 0 if their populations differ.
int compare(const run_options& given, int rank);

}  // namespace lattice_boltzmann
