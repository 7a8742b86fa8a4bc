// What a std::function calls is nowhere else.
#include <functional>
#include <vector>

#include "wherry/deep/pack.hpp"

struct task {
  int priority;
#ifdef WHERRY_MUST_NOT_COMPILE
  std::function<void()> run;
#else
  std::vector<int> run;
#endif
};

void use(wherry::byte_sink& sink, std::vector<task>& x) { wherry::deep::pack(sink, x); }
