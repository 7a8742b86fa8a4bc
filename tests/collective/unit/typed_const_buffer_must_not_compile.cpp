// A buffer that is received into is written to.
#include <mpi.h>

#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using buffer = const std::vector<int>;
#else
using buffer = std::vector<int>;
#endif

void use(MPI_Comm comm, buffer& values) { wherry::collective::bcast(comm, values); }
