// Replaces Fortran's procedures. Open MPI needs this, because its Fortran procedures do not call C's MPI_X.
#pragma once

#include <mpi.h>

#include "wherry/collective/call.hpp"

#include "fortran_arguments.hpp"
#include "requests.hpp"
#include "signature.hpp"

namespace wherry::preload::fortran {

template <class Function, class Make, class Pass, class... Addresses>
void blocking(collective::kind what, Make make, Pass pass, void* error, Addresses... addresses) {
  const auto comm = PMPI_Comm_f2c(integer(last(addresses...)));
  if (!taken(what, form::blocking, comm)) return pass();
  const auto whose = whose_turn(what, comm);
  const auto types = types_in(what, comm, addresses...);
  const auto made = converted<Function>(make, types, addresses...);
  if (whose == turn::ours) return give(carry_out(made), error);
  compared(whose, made, [&](bool timed) { give(carry_out(made, timed), error); }, pass);
}

template <class Function, class Make, class Pass, class... Addresses>
void nonblocking(collective::kind what, Make make, Pass pass, void* request, void* error, Addresses... addresses) {
  const auto comm = PMPI_Comm_f2c(integer(last(addresses...)));
  if (!taken(what, form::nonblocking, comm)) return pass();
  const auto types = types_in(what, comm, addresses...);
  MPI_Request begun = MPI_REQUEST_NULL;
  give(set_off(converted<Function>(make, types, addresses...), begun), error);
  *static_cast<MPI_Fint*>(request) = PMPI_Request_c2f(begun);
}

template <class Function, class Make, class Pass, class... Addresses>
void persistent(collective::kind what, Make make, Pass pass, void* request, void* error, Addresses... addresses) {
  const auto comm = PMPI_Comm_f2c(integer(last(addresses...)));
  if (!taken(what, form::persistent, comm)) return pass();
  const auto types = types_in(what, comm, addresses...);
  MPI_Request made = MPI_REQUEST_NULL;
  const auto result = prepare(converted<Function>(make, types, addresses...), made);
  if (result.is_mpis) return pass();
  give(result.code, error);
  if (result.code == MPI_SUCCESS) *static_cast<MPI_Fint*>(request) = PMPI_Request_c2f(made);
}

[[noreturn]] void not_there(const char* name);

/// The next Fortran procedure of this name: another tool's, or MPI's. Without one the program ends, because then this
/// one cannot have been called.
template <class Procedure> Procedure* behind(const char* name) {
  auto* found = next<Procedure>(name, nullptr);
  if (found == nullptr) not_there(name);
  return found;
}

}  // namespace wherry::preload::fortran
