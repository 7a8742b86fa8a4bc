// Linked into tests of transports: with WHERRY_TRANSPORT=gpi2 all that they carry goes over GASPI.
#include "wherry/core/settings.hpp"
#include "wherry/gpi2/gpi2.hpp"

#include "harness/before_tests.hpp"

namespace {

const wherry_test::before_tests start_gpi2([] {
  if (wherry::current_settings().transport == "gpi2") wherry::use_gpi2();
});

}  // namespace
