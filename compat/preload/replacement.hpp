// A call of the program's becomes one of ours, or goes on to MPI.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

#include "tally.hpp"

namespace wherry::preload {

/// Whether we do this call: it is asked for, MPI is running, and the communicator is one that we take (no
/// intercommunicator). The same on all ranks of it. Counts what is left to MPI.
bool taken(collective::kind what, form how, MPI_Comm comm);

/// Does it. What goes wrong is told in one line, and is the communicator's error handler's; gives the error's class.
int carry_out(const collective::call& what);

/// `make` gives the call, `pass` calls whoever is behind us.
template <class Make, class Pass> int blocking(collective::kind what, MPI_Comm comm, Make make, Pass pass) {
  return taken(what, form::blocking, comm) ? carry_out(make()) : pass();
}

}  // namespace wherry::preload
