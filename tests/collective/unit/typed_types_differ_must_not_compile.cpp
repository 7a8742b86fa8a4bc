// What is summed has one type.
#include <mpi.h>

#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using one = float;
#else
using one = double;
#endif

void use(MPI_Comm comm, const std::vector<one>& values, std::vector<double>& sums) {
  wherry::collective::allreduce(comm, values, sums);
}
