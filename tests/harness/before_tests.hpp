// What a binary does on all ranks once MPI has started, before its first test.
#pragma once

namespace wherry_test {

struct before_tests {
  explicit before_tests(void (*run)());
};

}  // namespace wherry_test
