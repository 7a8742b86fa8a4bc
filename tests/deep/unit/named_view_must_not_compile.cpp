// A view owns nothing, also where a description names it.
#include <string>
#include <string_view>

#include "wherry/deep/pack.hpp"

struct line {
  int number;
  std::string words;
  std::string_view first_word;
  template <class Message> void describe(Message& m) {
    m(words);
#ifdef WHERRY_MUST_NOT_COMPILE
    m(first_word);
#else
    m.skip(first_word);
#endif
  }
};

void use(wherry::byte_source& source, line& x) { wherry::deep::unpack(source, x); }
