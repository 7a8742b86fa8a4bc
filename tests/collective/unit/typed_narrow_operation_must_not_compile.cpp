// Sums of doubles are not made of floats.
#include <mpi.h>

#include <functional>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using sum = std::plus<float>;
#else
using sum = std::plus<double>;
#endif

double use(MPI_Comm comm, double value) { return wherry::collective::scan(comm, value, sum{}); }
