// A program that is linked to this library frees operations here first: only so does anybody hear of it.
#include <mpi.h>

#if !defined(SMPI_H)  // there MPI's names are macros
#include <dlfcn.h>

#include "wherry/collective/requests.hpp"

/// Weak: where a tool is linked statically that has this name, the tool's is taken.
extern "C" [[gnu::weak]] int MPI_Op_free(MPI_Op* op) {
  static auto* const next = dlsym(RTLD_NEXT, "MPI_Op_free");
  if (op != nullptr && wherry::collective::free_when_unused(*op)) return MPI_SUCCESS;
  return next != nullptr ? reinterpret_cast<decltype(PMPI_Op_free)*>(next)(op) : PMPI_Op_free(op);
}
#endif
