// A raw pointer in an aggregate says not whether it owns: it must not compile, and the message must say what to write.
#include "wherry/deep/pack.hpp"

struct node {
  int value;
#ifdef WHERRY_MUST_NOT_COMPILE
  node* next;
#endif
};

void use(wherry::byte_sink& sink, node& n) { wherry::deep::pack(sink, n); }
