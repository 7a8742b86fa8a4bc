// A union without a name as a member: nobody can tell what is in it.
#include <vector>

#include "wherry/deep/pack.hpp"

struct number {
  bool whole = true;
#ifdef WHERRY_MUST_NOT_COMPILE
  union {
    long i = 0;
    double d;
  };
#else
  double d = 0;
#endif
  std::vector<int> v;
};

void use(wherry::byte_sink& sink, number& x) { wherry::deep::pack(sink, x); }
