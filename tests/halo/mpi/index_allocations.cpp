// An index exchange that starts again, with whatever arrays, allocates nothing.
#include <vector>

#include "wherry/halo/index_exchange.hpp"

#include "harness/harness.hpp"
#include "support/counted_allocations.hpp"

using namespace wherry_test;

namespace {

struct particle {
  double at[3];
  int kind;
};

}  // namespace

WHERRY_TEST(index_exchanges_allocate_nothing, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const wherry::index_lists lists{{{next, {4, 2, 9, 3, 3}}}, {{before, {15, 13, 10, 11, 12}}}};
  std::vector<double> u(16), other(16);
  std::vector<particle> particles(16), more(16);
  std::vector<float> wide(48);
  const wherry::view<float, 2> apart(wide.data(), {3, 16}, wherry::c_layout<2>());
  for (const char* transport : {"auto", "shared", "two_sided", "persistent"}) {
    test.note(transport);
    wherry::index_exchange exchange(comm, lists, {.carry = {.transport = transport}}, u, particles, apart);
    for (int warm = 0; warm < 3; ++warm) exchange(other, more, apart);
    long fewest = allocations;  // in the call that took fewest: who waits for long looks who is missing, which does
    for (int again = 0; again < 5; ++again) {
      const long began = allocations;
      exchange(again % 2 == 0 ? other : u, more, apart);
      fewest = std::min(fewest, allocations - began);
    }
    CHECK_EQUAL(fewest, 0);
  }
}
