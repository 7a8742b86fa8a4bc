// Nor by an exchange.
#include "wherry/halo/halo_exchange.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::process_grid& grid, const wherry::field<double, 1>& u) {
  wherry::halo_exchange exchange(grid, u);
}
#else
void use(const wherry::process_grid& grid, wherry::field<double, 1>& u) { wherry::halo_exchange exchange(grid, u); }
#endif
