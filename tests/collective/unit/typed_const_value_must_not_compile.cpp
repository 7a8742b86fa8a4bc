// A value that is received is written to.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using number = const int;
#else
using number = int;
#endif

void use(MPI_Comm comm, number& value) { wherry::collective::bcast(comm, value); }
