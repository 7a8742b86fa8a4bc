// A call of the program's becomes one of ours, or goes on to MPI.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

#include "measurements.hpp"
#include "tally.hpp"
#include "turns.hpp"

namespace wherry::preload {

/// Whether we do this call: it is asked for, MPI is running, and the communicator is one that we take (no
/// intercommunicator). The same on all ranks of it. Counts what is left to MPI.
bool taken(collective::kind what, form how, MPI_Comm comm);

/// Whose turn it is, of one that is taken: ours where nothing is compared.
turn whose_turn(collective::kind what, MPI_Comm comm);

/// Does it. What goes wrong is told in one line, and is the communicator's error handler's; gives the error's class.
int carry_out(const collective::call& what, bool timed = false);

/// One whose turn is not simply ours, while calls are compared: `ours` does it as we do, `pass` calls whoever is behind
/// us.
template <class Ours, class Pass> auto compared(turn whose, const collective::call& what, Ours ours, Pass pass) {
  if (!is_mpis(whose)) return ours(is_timed(whose));
  if (!may_be_mpis(what)) {
    count_kept_from_mpi(what.kind);
    return ours(false);
  }
  struct end_of_turn {
    const collective::call& what;
    stopwatch watch;
    ~end_of_turn() {
      if (watch.runs() && !mpi_does_it_anyway(what.kind, what.comm)) add_sample(what, true, watch.us());
      count_left_to_mpi(what.kind);
    }
  } until_it_is_done{what, stopwatch(is_timed(whose))};
  return pass();
}

/// `make` gives the call.
template <class Make, class Pass> int blocking(collective::kind what, MPI_Comm comm, Make make, Pass pass) {
  if (!taken(what, form::blocking, comm)) return pass();
  const auto whose = whose_turn(what, comm);
  if (whose == turn::ours) return carry_out(make());
  const auto made = make();
  return compared(whose, made, [&](bool timed) { return carry_out(made, timed); }, pass);
}

}  // namespace wherry::preload
