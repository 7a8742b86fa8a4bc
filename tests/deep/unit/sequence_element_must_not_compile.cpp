// Nor are those of lists made of anything but nothing.
#include <list>
#include <string>

#include "wherry/deep/pack.hpp"

struct without_default {
#ifdef WHERRY_MUST_NOT_COMPILE
  explicit without_default(int) {}
#endif
  std::string text;
  template <class Message> void describe(Message& m) { m(text); }
};

void copy(wherry::byte_source& from, std::list<without_default>& to) { wherry::deep::unpack(from, to); }
