// Nobody knows the length of a unique_ptr<T[]> that is not given one.
#include <memory>

#include "wherry/deep/pack.hpp"

struct numbers {
  int n;
  std::unique_ptr<int[]> values;
  template <class Message> void describe(Message& m) {
#ifdef WHERRY_MUST_NOT_COMPILE
    m(values);
#else
    m.owned(values, n);
#endif
  }
};

void use(wherry::byte_sink& sink, numbers& x) { wherry::deep::pack(sink, x); }
