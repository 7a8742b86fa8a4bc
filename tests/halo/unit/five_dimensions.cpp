// Halo exchange has 1 to 4 dimensions.
#include "wherry/halo/field.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
constexpr int dimensions = 5;
#else
constexpr int dimensions = 4;
#endif

wherry::field<double, dimensions> use(const wherry::communicator& comm) {
  return {comm, wherry::filled<dimensions>(4), 1};
}
