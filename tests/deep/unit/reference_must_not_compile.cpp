// An aggregate whose member is a reference: it cannot refer to what arrives.
#include <vector>

#include "wherry/deep/pack.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using number = int&;
#else
using number = int;
#endif

int one = 1;

struct bound {
  number k = one;
  int n = 0;
  std::vector<int> v;
};

void use(wherry::byte_sink& sink, bound& x) { wherry::deep::pack(sink, x); }
void use(wherry::byte_source& source, bound& x) { wherry::deep::unpack(source, x); }
