// What this rank called, who did it, and the report at the end.
#pragma once

#include <string_view>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

/// MPI_Bcast, MPI_Ibcast, MPI_Bcast_init.
enum class form { blocking, nonblocking, persistent };

/// Count one call each. Any thread.
void count_replaced(collective::kind what, form how, std::string_view implementation);
/// One that was MPI's turn.
void count_left_to_mpi(collective::kind what);
void count_passed(collective::kind what, form how);

/// MPI is running: makes the report come when it ends. Where it never does, it comes when the program ends.
void report_at_the_end();
/// Once that has begun nothing is replaced any more.
bool mpi_is_ending();

}  // namespace wherry::preload
