// Through a const field nothing is written.
#include "wherry/halo/halo_exchange.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::field<double, 1>& u) { u(0) = 1; }
#else
void use(wherry::field<double, 1>& u) { u(0) = 1; }
#endif
