// Counts this rank's calls and the implementations that carried them out, for the report at the end.
#pragma once

#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

/// MPI_Bcast, MPI_Ibcast, MPI_Bcast_init.
enum class form { blocking, nonblocking, persistent };

/// These count one call each. Any thread may call them.
void count_replaced(collective::kind what, form how, std::string_view implementation);
/// Counts a call that was MPI's turn.
void count_left_to_mpi(collective::kind what);
void count_passed(collective::kind what, form how);

/// Called when MPI is running. The report then comes when MPI ends, or, if MPI never does, when the program ends.
void report_at_the_end();
/// True once MPI_Finalize has begun. From then on nothing is replaced.
bool mpi_is_ending();

}  // namespace wherry::preload
