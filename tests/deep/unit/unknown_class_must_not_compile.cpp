// A class with secrets and no description.
#include <string>

#include "wherry/deep/pack.hpp"

class secretive {
 public:
  explicit secretive(const char* s) : text_(s) {}

#ifndef WHERRY_MUST_NOT_COMPILE
  template <class Message> void describe(Message& m) { m(text_); }
#endif

 private:
  std::string text_;
};

void use(wherry::byte_sink& sink, secretive& s) { wherry::deep::pack(sink, s); }
