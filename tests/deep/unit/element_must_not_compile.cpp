// Elements of containers are there before they are read.
#include <string>
#include <vector>

#include "wherry/deep/pack.hpp"

struct without_default {
#ifdef WHERRY_MUST_NOT_COMPILE
  explicit without_default(int) {}
#endif
  std::string text;
  template <class Message> void describe(Message& m) { m(text); }
};

void copy(wherry::byte_source& from, std::vector<without_default>& to) { wherry::deep::unpack(from, to); }
