// A class with virtual functions is built by its default constructor before it is read.
#include "wherry/deep/pack.hpp"

struct animal {
#ifdef WHERRY_MUST_NOT_COMPILE
  explicit animal(int n) : legs(n) {}
#endif
  virtual ~animal() = default;
  int legs = 4;
  template <class Message> void describe(Message& m) { m(legs); }
};

void use(wherry::byte_source& source, animal& a) { wherry::deep::unpack(source, a); }
