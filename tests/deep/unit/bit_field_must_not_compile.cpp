// Nothing can refer to a bit-field, so that nobody can take an aggregate apart that has one.
#include <vector>

#include "wherry/deep/pack.hpp"

struct flags {
#ifdef WHERRY_MUST_NOT_COMPILE
  unsigned colour : 3, shape : 5;
#else
  unsigned colour, shape;
#endif
  std::vector<int> v;
};

void use(wherry::byte_sink& sink, flags& x) { wherry::deep::pack(sink, x); }
