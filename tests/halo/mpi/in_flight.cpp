// Several exchanges in flight, waited for in an order of each rank's own.
#include <array>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

using wherry::index_t;

constexpr index_t cells = 6;  // a rank and dimension

// One exchange on a torus of all ranks, and the value that each cell must have.
struct torus {
  torus(const wherry::process_grid& grid, const wherry::halo_options& how)
      : at(grid.coordinates(grid.comm().rank())),
        extents(grid.extents()),
        data(grid.comm(), wherry::filled<3>(cells), 2),
        exchange(grid, how, data) {}

  double value(const wherry::point<3>& p, int round) const {
    double sum = round;
    for (std::size_t d = 0, weight = 1; d < 3; ++d, weight *= 100) {
      const index_t all = cells * extents[d];
      sum += static_cast<double>(weight) * static_cast<double>((at[d] * cells + p[d] + all) % all);
    }
    return sum;
  }
  void fill(int round) {
    for_each_point(data.core(), [&](const auto& p) { data[p] = value(p, round); });
  }
  long wrong(int round) const {
    long count = 0;
    for_each_point(data.whole(), [&](const auto& p) { count += data[p] != value(p, round) ? 1 : 0; });
    return count;
  }

  std::array<int, wherry::max_halo_dimensions> at;
  std::vector<int> extents;
  wherry::field<double, 3> data;
  wherry::halo_exchange exchange;
};

}  // namespace

// By dimension, later messages leave only when somebody drives the exchange: whoever waits must drive them all.
WHERRY_TEST(exchanges_waited_for_in_different_orders, ranks(1, 2, 3, 4, 8).not_simulated("takes minutes")) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true, true}});
  for (const std::string name : {"auto", "two_sided", "persistent", "datatype"})
    for (const auto order : {wherry::halo_order::by_dimension, wherry::halo_order::wrapped_last}) {
      test.note(name);
      const wherry::halo_options how{.order = order, .carry = {.transport = name}};
      torus first(grid, how), second(grid, how);
      for (int round = 0; round < 5; ++round) {
        first.fill(round);
        second.fill(round + 50);
        first.exchange.start();
        second.exchange.start();
        auto& early = (test.rank + round) % 2 == 0 ? first : second;
        auto& late = &early == &first ? second : first;
        early.exchange.wait();
        late.exchange.wait();
        CHECK_EQUAL(first.wrong(round), 0L);
        CHECK_EQUAL(second.wrong(round + 50), 0L);
      }
    }
}
