// A container says not what of it is halo.
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

void use(const wherry::process_grid& grid, std::vector<double>& u) {
#ifdef WHERRY_MUST_NOT_COMPILE
  wherry::halo_exchange exchange(grid, u);
#else
  wherry::halo_exchange exchange(grid, wherry::halo_around(u, {8, 8}, 1));
#endif
}
