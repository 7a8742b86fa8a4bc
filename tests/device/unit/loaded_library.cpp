// Whether a library is loaded, in a program that loads one.
#include "device/loaded_library.hpp"

#include <dlfcn.h>

#include "device/device_with_memory.hpp"
#include "harness/harness.hpp"

WHERRY_UNIT_TEST(device_libraries_are_seen_when_they_are_loaded) {
  wherry::loaded_library never("libwherry_has_no_such"), any(""), late("wherry_test_library");
  CHECK(any.is_here());
  for (int again = 0; again < 2; ++again) CHECK(!never.is_here() && !late.is_here());
  void* const loaded = dlopen(WHERRY_TEST_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  CHECK(loaded != nullptr);
  if (loaded == nullptr) return;
  CHECK(late.is_here());
  CHECK(!never.is_here());
  dlclose(loaded);
  CHECK(late.is_here());  // or it was
}

WHERRY_UNIT_TEST(device_memory_is_looked_for_where_a_device_is_in_use) {
  const auto* const before = wherry::device_in_use();
  wherry::use_device(&wherry::fake_device());
  CHECK(wherry::device_with_memory() == &wherry::fake_device());
  wherry::use_device(nullptr);
  CHECK(wherry::device_with_memory() == nullptr);
  wherry::use_device(before);
}
