// Processes are told apart by when they began.
#include "core/rank_lives.hpp"

#include <unistd.h>

#include "harness/harness.hpp"

WHERRY_UNIT_TEST(processes_are_not_taken_for_others_that_had_their_numbers) {
  const auto& self = wherry::process_identity::own();
  CHECK(self.number == getpid());
  CHECK(!wherry::watched_process(self).has_ended());
  if (self.start == 0 || self.name_space == 0) test.skip("/proc does not tell when this process began");
  auto another = self;
  ++another.start;
  CHECK(wherry::watched_process(another).has_ended());
  another.name_space = self.name_space + 1;  // where its number says nothing
  CHECK(!wherry::watched_process(another).has_ended());
}
