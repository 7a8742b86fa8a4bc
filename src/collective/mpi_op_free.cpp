// In a program that is linked to this library, MPI_Op_free is this function: only so can the library learn of freed
// operations.
#include <mpi.h>

#if !defined(SMPI_H)  // in SMPI the names of MPI are macros
#include <dlfcn.h>

#include "wherry/collective/requests.hpp"

/// Weak, so that a statically linked tool may define this name.
extern "C" [[gnu::weak]] int MPI_Op_free(MPI_Op* op) {
  static auto* const next = dlsym(RTLD_NEXT, "MPI_Op_free");
  if (op != nullptr && wherry::collective::detail::free_when_unused(*op)) return MPI_SUCCESS;
  return next != nullptr ? reinterpret_cast<decltype(PMPI_Op_free)*>(next)(op) : PMPI_Op_free(op);
}
#endif
