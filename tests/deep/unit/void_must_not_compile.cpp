// A pointer to nobody knows what.
#include "wherry/deep/pack.hpp"

struct with_void {
#ifdef WHERRY_MUST_NOT_COMPILE
  void* bytes = nullptr;
#else
  char* bytes = nullptr;
#endif
  int n = 0;
  template <class Message> void describe(Message& m) { m.owned(bytes, n); }
};

void copy(wherry::byte_sink& to, const with_void& from) { wherry::deep::pack(to, from); }
