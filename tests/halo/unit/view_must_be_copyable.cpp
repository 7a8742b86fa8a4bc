// The same for a view of the user's own array.
#include <string>

#include "wherry/halo/field.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using element = std::string;
#else
using element = double;
#endif

wherry::halo_field use(element* data) {
  return wherry::halo_of(wherry::halo_inside(wherry::view<element, 1>(data, {4}), 1));
}
