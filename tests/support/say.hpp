// For programs that print what becomes of calls: compared by `wherry_expect`.
#pragma once

#include <cstdio>

#include "wherry/core/error.hpp"

namespace wherry_test {

template <class Call> void say(const char* what, Call call) {
  try {
    call();
    std::printf("%s: nothing was thrown\n", what);
  } catch (const wherry::error& failure) {
    std::printf("%s: %s\n", what, failure.what());
  }
}

}  // namespace wherry_test
