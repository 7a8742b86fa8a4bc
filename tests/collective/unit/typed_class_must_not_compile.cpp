// A class with a constructor that copies does not travel as bytes.
#include <mpi.h>

#include "wherry/collective/typed.hpp"

struct particle {
  double position[3];
#ifdef WHERRY_MUST_NOT_COMPILE
  particle() = default;
  particle(const particle& other) : position{other.position[0], 0, 0} {}
#endif
};

auto use(MPI_Comm comm, const particle& value) { return wherry::collective::gather(comm, value); }
