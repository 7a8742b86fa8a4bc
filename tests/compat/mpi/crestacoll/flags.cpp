// What the flags that this was compiled with have chosen.
#include <cstdio>

#include "crestacoll/build.hpp"

int main() {
  using wherry::collective::kind;
  for (int what = 0; what < wherry::collective::kinds; ++what) {
    const auto one = static_cast<kind>(what);
    std::printf("%s: %s\n", wherry::collective::name_of(one).data(), wherry::crestacoll::implementation_of(one).data());
  }
  std::printf("protected %d, window %ld, coarray %ld\n", wherry::crestacoll::protects_buffers() ? 1 : 0,
              static_cast<long>(wherry::crestacoll::static_window_elements()),
              static_cast<long>(wherry::crestacoll::static_coarray_elements()));
}
