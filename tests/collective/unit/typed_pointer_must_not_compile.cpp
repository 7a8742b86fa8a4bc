// Another rank can do nothing with a pointer.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using one = int*;
#else
using one = int;
#endif

auto use(MPI_Comm comm, one value) { return wherry::collective::allgather(comm, value); }
