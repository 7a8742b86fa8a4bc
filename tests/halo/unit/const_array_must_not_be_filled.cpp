// Nor are the ghosts of a const array.
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/index_exchange.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using values = const std::vector<double>;
#else
using values = std::vector<double>;
#endif

void use(const wherry::communicator& comm, values& u) { wherry::index_exchange exchange(comm, {}, u); }
