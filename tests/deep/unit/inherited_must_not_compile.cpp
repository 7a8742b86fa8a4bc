// A class that adds members to one with a description needs its own.
#include <string>

#include "wherry/deep/pack.hpp"

struct base {
  std::string name;
  template <class Message> void describe(Message& m) { m(name); }
};

struct derived : base {
#ifdef WHERRY_MUST_NOT_COMPILE
  std::string more;
#endif
};

void use(wherry::byte_sink& sink, derived& x) { wherry::deep::pack(sink, x); }
