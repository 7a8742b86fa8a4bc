// device_driver host|device: binds a field of the host, as far as devices are asked, or looks for a device.
#include <cstdio>
#include <cstring>

#include "wherry/core/memory_space.hpp"
#include "wherry/device/device.hpp"
#include "wherry/device/field_memory.hpp"

int main(int count, char** words) {
  const double here = 0;
  const bool host = count == 2 && std::strcmp(words[1], "host") == 0;
  const bool as_expected =
      host ? wherry::detail::space_of(&here, wherry::memory_space::host) == wherry::memory_space::host
           : wherry::device_in_use() == nullptr;
  std::puts(as_expected ? "asked" : "that is no driver of a device");
}
