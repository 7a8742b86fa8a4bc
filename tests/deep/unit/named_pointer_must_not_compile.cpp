// m(p) of a raw pointer says not whether it owns.
#include "wherry/deep/pack.hpp"

struct node {
  node* next;
  template <class Message> void describe(Message& m) {
#ifdef WHERRY_MUST_NOT_COMPILE
    m(next);
#else
    m.owned(next);
#endif
  }
};

void use(wherry::byte_sink& sink, node& n) { wherry::deep::pack(sink, n); }
