// Nobody knows of which elements a lambda with a state is if it has `auto` parameters.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

int use(MPI_Comm comm, int value, int modulus) {
#ifdef WHERRY_MUST_NOT_COMPILE
  const auto op = [modulus](auto a, auto b) { return (a + b) % modulus; };
#else
  const auto op = [modulus](int a, int b) { return (a + b) % modulus; };
#endif
  return wherry::collective::allreduce(comm, value, op);
}
