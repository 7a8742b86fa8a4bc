/// @file
/// Compares persistent collectives of Wherry with those of the linked MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "harness/collective_race.hpp"

namespace bench::collective {

/// The collectives that are timed.
std::vector<wherry::collective::kind> kinds_of_persistent();
/// True if the linked MPI has persistent collectives.
bool mpi_has_persistent();
/// @throws usage_error for a collective that is not timed
void check_persistent(const std::vector<wherry::collective::kind>& kinds);

/// Works as `race`, but each collective is made once, and each call starts it and waits for it.
std::vector<standing> race_of_persistent(wherry::collective::kind what, MPI_Comm comm, std::size_t bytes,
                                         const std::vector<std::string>& wanted, double seconds);

}  // namespace bench::collective
