// A view is its bytes, but what it shows lies elsewhere.
#include <mpi.h>

#include <array>
#include <span>
#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using one = std::span<double>;
#else
using one = std::array<double, 3>;
#endif

void use(MPI_Comm comm, std::vector<one>& several) { wherry::collective::bcast(comm, several); }
