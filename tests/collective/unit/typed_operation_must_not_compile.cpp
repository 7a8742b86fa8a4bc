// Nothing is made of doubles bit by bit.
#include <mpi.h>

#include <functional>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using one = double;
#else
using one = long;
#endif

one use(MPI_Comm comm, one value) { return wherry::collective::scan(comm, value, std::bit_or<>{}); }
