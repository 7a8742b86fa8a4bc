// What a lambda captures does not reach the function that MPI calls.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

int use(MPI_Comm comm, int value, [[maybe_unused]] int modulus) {
#ifdef WHERRY_MUST_NOT_COMPILE
  const auto op = [modulus](int a, int b) { return (a + b) % modulus; };
#else
  const auto op = [](int a, int b) { return (a + b) % 17; };
#endif
  return wherry::collective::allreduce(comm, value, op);
}
