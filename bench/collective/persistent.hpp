/// @file
/// Collectives that start again and again, ours beside those of the linked MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "harness/collective_race.hpp"

namespace bench::collective {

/// Which are timed.
std::vector<wherry::collective::kind> kinds_of_persistent();
/// Whether the linked MPI has such.
bool mpi_has_persistent();
/// @throws usage_error for one that is not timed
void check_persistent(const std::vector<wherry::collective::kind>& kinds);

/// As `race`: each is made once, and started and waited for in each call.
std::vector<standing> race_of_persistent(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes,
                                         const std::vector<std::string>& wanted, double seconds);

}  // namespace bench::collective
