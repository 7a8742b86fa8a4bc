// An array without an account is not known to be clean.
#include "wherry/halo/ghost_layers.hpp"

void use(wherry::ghost_layers& layers, std::vector<double>& values) {
#ifdef WHERRY_MUST_NOT_COMPILE
  layers.exchange_if_needed(1, values);
#else
  wherry::layered_field field(layers, values);
  layers.exchange_if_needed(1, field);
#endif
}
