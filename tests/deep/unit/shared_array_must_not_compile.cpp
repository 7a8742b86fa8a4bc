// Nobody knows the length of a shared_ptr<T[]>.
#include <memory>

#include "wherry/deep/pack.hpp"

struct numbers {
  int n;
#ifdef WHERRY_MUST_NOT_COMPILE
  std::shared_ptr<int[]> values;
#else
  std::shared_ptr<int> values;
#endif
  template <class Message> void describe(Message& m) { m(n, values); }
};

void use(wherry::byte_sink& sink, numbers& x) { wherry::deep::pack(sink, x); }
