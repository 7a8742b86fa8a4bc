// Decides whether Wherry carries out a call of the program, or passes it on to MPI.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

#include "measurements.hpp"
#include "tally.hpp"
#include "turns.hpp"

namespace wherry::preload {

/// True if Wherry takes this call: the settings ask for it, MPI is running, and the communicator is no
/// intercommunicator. The result is the same on all ranks of the communicator. Calls that are not taken are counted.
bool taken(collective::kind what, form how, MPI_Comm comm);

/// The turn of a call that is taken. Always Wherry's if nothing is compared.
turn whose_turn(collective::kind what, MPI_Comm comm);

/// Carries out the call. A failure is told in one line and passed to the communicator's error handler; the result is
/// then the error's class.
int carry_out(const collective::call& what, bool timed = false);

/// Carries out a call whose turn may be MPI's. `ours` does it with Wherry, and `pass` calls the next function of this
/// name.
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

/// @param make returns the call
template <class Make, class Pass> int blocking(collective::kind what, MPI_Comm comm, Make make, Pass pass) {
  if (!taken(what, form::blocking, comm)) return pass();
  const auto whose = whose_turn(what, comm);
  if (whose == turn::ours) return carry_out(make());
  const auto made = make();
  return compared(whose, made, [&](bool timed) { return carry_out(made, timed); }, pass);
}

}  // namespace wherry::preload
