// What is read is changed: a description is no const function.
#include <string>

#include "wherry/deep/pack.hpp"

struct line {
  int number;
  std::string words;
#ifdef WHERRY_MUST_NOT_COMPILE
  template <class Message> void describe(Message& m) const { m(words); }
#else
  template <class Message> void describe(Message& m) { m(words); }
#endif
};

void use(wherry::byte_sink& sink, line& x) { wherry::deep::pack(sink, x); }
