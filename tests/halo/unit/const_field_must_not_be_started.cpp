// Nor where another field takes the place of the one that was bound, or its pointer.
#include "wherry/halo/halo_exchange.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
void use(wherry::halo_exchange& exchange, const wherry::field<double, 1>& u) { exchange.start(u.data()); }
#else
void use(wherry::halo_exchange& exchange, wherry::field<double, 1>& u) { exchange.start(u.data()); }
#endif
