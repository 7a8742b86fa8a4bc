// The end of a job after an uncaught error: one line, from the rank that failed first.
#pragma once

#include <string_view>

namespace wherry {

/// Prints `[rank R of N] what`, unless another rank of this node has done so, and ends the whole job with a failure
/// status. MPI must be running.
[[noreturn]] void end_job(std::string_view what);

/// From now on, an uncaught exception ends the job in that way, and not by `abort` on one rank after the other. A
/// handler that the program has set by std::set_terminate is called after the line. MPI must be running.
void install_last_words();
void remove_last_words();

}  // namespace wherry
