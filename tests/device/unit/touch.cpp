// A host that touches device memory: the program ends, with a text that says why.
#include <cstdio>

#include "wherry/device/device.hpp"

int main() {
  auto* const number = static_cast<volatile int*>(wherry::fake_device().allocate(sizeof(int)));
  std::printf("touching\n");
  std::fflush(stdout);
  *number = 1;
  std::printf("nothing happened\n");
  return 0;
}
