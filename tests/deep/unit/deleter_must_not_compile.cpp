// What a deleter is for cannot be made by anybody else.
#include <memory>

#include "wherry/deep/pack.hpp"

struct closes {
  void operator()(int* p) const { delete p; }
};

#ifdef WHERRY_MUST_NOT_COMPILE
using owner = std::unique_ptr<int, closes>;
#else
using owner = std::unique_ptr<int>;
#endif

void copy(wherry::byte_sink& to, const owner& from) { wherry::deep::pack(to, from); }
