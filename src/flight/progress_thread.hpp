// The progress thread (KeLP's proxy): one a process, carries what is in flight while the user computes.
#pragma once

#include "flight.hpp"

/// What follows needs MPI_THREAD_MULTIPLE. The thread starts with the first `attach` and ends at MPI_Finalize.
namespace wherry::progress_thread {

/// True when MPI lets several threads call it at a time.
bool possible();

/// For `flight::drive_in_thread`. @throws std::system_error where the system gives no thread; nothing is attached then
void attach(flight& work);
/// When it returns the thread is not, and will not be, at this work.
void detach(flight& work);
/// Something attached is in flight.
void wake();
/// For good; nothing attached is driven any more. MPI_Finalize does it before anything else calls MPI: MPICH 4 is not
/// safe for threads there.
void stop();

}  // namespace wherry::progress_thread
