// An aggregate of plain members, one of which is a reference to a constant: its bytes are an address.
#include "wherry/deep/pack.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using number = const int&;
#else
using number = int;
#endif

int one = 1;

struct bound {
  number k = one;
  int n = 0;
};

void use(wherry::byte_sink& sink, bound& x) { wherry::deep::pack(sink, x); }
