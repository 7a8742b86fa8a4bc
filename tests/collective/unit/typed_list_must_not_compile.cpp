// The elements of a list do not lie one behind the other.
#include <mpi.h>

#include <list>
#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using several = std::list<int>;
#else
using several = std::vector<int>;
#endif

auto use(MPI_Comm comm, const several& values) { return wherry::collective::allgatherv(comm, values); }
