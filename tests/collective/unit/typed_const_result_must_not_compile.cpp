// The result of a reduction is written to.
#include <mpi.h>

#include <span>
#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using result = std::span<const int>;
#else
using result = std::span<int>;
#endif

void use(MPI_Comm comm, const std::vector<int>& values, result sums) {
  wherry::collective::allreduce(comm, values, sums);
}
