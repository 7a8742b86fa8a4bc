// A std::string has its characters elsewhere: as an element it must not compile.
#include <mpi.h>

#include <string>
#include <vector>

#include "wherry/collective/typed.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using one = std::string;
#else
using one = char;
#endif

void use(MPI_Comm comm, std::vector<one>& several) { wherry::collective::bcast(comm, several); }
