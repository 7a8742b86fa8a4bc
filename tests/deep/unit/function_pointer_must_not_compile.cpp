// The address of a function means nothing elsewhere.
#include "wherry/deep/pack.hpp"

struct task {
  int priority;
#ifdef WHERRY_MUST_NOT_COMPILE
  void (*run)();
#endif
};

void use(wherry::byte_source& source, task& t) { wherry::deep::unpack(source, t); }
