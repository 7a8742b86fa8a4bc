// The progress thread (KeLP's proxy): one for each process. It carries the flights that are attached to it while the
// user computes.
#pragma once

#include "flight.hpp"

/// Everything here except `possible` needs MPI_THREAD_MULTIPLE. The thread starts with the first `attach` and ends at
/// MPI_Finalize.
namespace wherry::progress_thread {

/// True if MPI lets several threads call it at the same time.
bool possible();

/// For `flight::drive_in_thread`. @throws std::system_error if the system gives no thread; nothing is attached then
void attach(flight& work);
/// When it returns, the thread does not drive this flight, and will not.
void detach(flight& work);
/// Tells the thread that something attached is in flight.
void wake();
/// Ends the thread for good; attached flights are no longer driven. MPI_Finalize calls it before anything else calls
/// MPI, because MPICH 4 is not safe for threads in MPI_Finalize.
void stop();

}  // namespace wherry::progress_thread
