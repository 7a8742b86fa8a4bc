// How a job ends by an error that nobody catches: with one line, from the rank that failed first.
#pragma once

#include <string_view>

namespace wherry {

/// Prints `[rank R of N] what`, unless another rank of this node has, and ends the whole job with a status of failure.
/// MPI must be running.
[[noreturn]] void end_job(std::string_view what);

/// From now on an exception that nobody catches ends the job that way, instead of by `abort` on rank after rank. A
/// handler that the program has set by std::set_terminate is called when the line is printed. MPI must be running.
void install_last_words();
void remove_last_words();

}  // namespace wherry
