// Many exchanges in a row need no more memory than a few.
#include <malloc.h>

#include <string>
#include <vector>

#include "wherry/sparse/sparse.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

WHERRY_TEST(memory_does_not_grow, ranks(1, 2, 3)) {
  const std::vector<int> to{0, (test.rank + 1) % test.size};
  const std::vector<double> values{1.0 * test.rank, 2};
  const auto some = [&](int count) {
    bool right = true;
    for (int i = 0; i < count; ++i) {
      const auto arrived = wherry::send_to(test.comm, to, values, {.algorithm = i % 100 == 0 ? "consensus" : "auto"});
      right = right && arrived.all.size() == static_cast<std::size_t>(1 + (test.rank == 0 ? test.size : 0));
    }
    return right;
  };
  CHECK(some(2000));
  const auto before = mallinfo2().uordblks;
  CHECK(some(100'000));
  const auto after = mallinfo2().uordblks;
  if (fault(after > before + (1U << 20))) FAIL("memory grew by " + std::to_string(after - before) + " bytes");
}
