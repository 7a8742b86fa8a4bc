// Nobody can look into a class with a constructor: it may hold pointers.
#include "wherry/deep/pack.hpp"

struct edge {
  edge* next;
  int value;
  edge() : next(nullptr), value(0) {}
#ifndef WHERRY_MUST_NOT_COMPILE
  template <class Message> void describe(Message& m) { m.owned(next); }
#endif
};

void use(wherry::byte_sink& sink, edge& x) { wherry::deep::pack(sink, x); }
