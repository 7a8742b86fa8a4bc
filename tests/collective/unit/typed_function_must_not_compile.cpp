// A pointer to a function has a value: MPI's own function would not know it.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

int larger(int a, int b);

int use(MPI_Comm comm, int value) {
#ifdef WHERRY_MUST_NOT_COMPILE
  return wherry::collective::allreduce(comm, value, larger);
#else
  return wherry::collective::allreduce(comm, value, [](int a, int b) { return larger(a, b); });
#endif
}
