// Nor does it name a copy of a pointer.
#include "wherry/deep/pack.hpp"

class list {
 public:
  int n = 0;
  int* numbers() const { return numbers_; }
  template <class Message> void describe(Message& m) {
#ifdef WHERRY_MUST_NOT_COMPILE
    m.owned(numbers(), n);
#else
    m.owned(numbers_, n);
#endif
  }

 private:
  int* numbers_ = nullptr;
};

void use(wherry::byte_source& source, list& x) { wherry::deep::unpack(source, x); }
