// An index exchange that starts again, with whatever arrays, allocates nothing.
#include <vector>

#include "wherry/halo/ghost_layers.hpp"
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

// Depths and fields that have been exchanged once before.
WHERRY_TEST(ghost_layers_allocate_nothing, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const std::vector<wherry::index_lists> lists{{{{next, {4, 2, 9}}}, {{before, {15, 13, 10}}}},
                                               {{{next, {3, 4}}}, {{before, {11, 12}}}}};
  std::vector<float> wide(48);
  for (const char* transport : {"auto", "shared", "two_sided", "persistent"}) {
    test.note(transport);
    wherry::ghost_layers layers(comm, lists, {.carry = {.transport = transport}});
    wherry::layered_field u(layers, std::vector<double>(16), "a name that is longer than a string keeps in place");
    wherry::layered_field v(layers, std::vector<particle>(16));
    wherry::layered_field w(layers, wherry::view<float, 2>(wide.data(), {3, 16}, wherry::c_layout<2>()));
    std::vector<double> plain(16);
    const auto step = [&] {
      u.mark_written();
      v.mark_written(1);
      layers.exchange(1, u, w, plain);
      layers.exchange_if_needed(2, u, v, w);
      layers.exchange_if_needed(1, u, v);
      layers.reduce_to_owners(2, plain, u, w);
    };
    for (int warm = 0; warm < 3; ++warm) step();
    long fewest = allocations;
    for (int again = 0; again < 5; ++again) {
      const long began = allocations;
      step();
      fewest = std::min(fewest, allocations - began);
    }
    CHECK_EQUAL(fewest, 0);
  }
}
