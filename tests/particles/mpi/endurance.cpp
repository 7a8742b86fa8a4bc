// Many moves in a row allocate nothing, but for a rank that waits so long that it asks who is missing.
#include <string>
#include <vector>

#include "wherry/core/settings.hpp"
#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/counted_allocations.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

constexpr long few = 100;

/// Particles in a ring of ranks that move by parts of a cell that are powers of 2, so that all repeats.
template <class Move>
void check_ring(const context& test, wherry::particle_order order, bool neighbors_only, Move&& move) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const double length = test.size;
  wherry::particle_exchange<1> migrate(grid, {4 * test.size}, {.lower = {0}, .upper = {length}},
                                       {.order = order, .neighbors_only = neighbors_only});
  std::vector<double> x;
  std::vector<int> id;
  random_numbers random(hash(test.seed, test.rank));
  for (int i = 0; i < 200; ++i) {
    x.push_back(test.rank + random.between(0, 63) / 64.0);
    id.push_back(test.rank * 1000 + i);
  }
  x.reserve(5000);
  id.reserve(5000);
  const int circle = 64 * test.size;
  const auto some = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      for (auto& one : x) one += 1.0 / 64;
      move(migrate, x, id);
    }
  };
  some(2 * circle);
  const long before = allocations;
  some(10'000);
  CHECK(allocations - before <= few || wherry::current_settings().check);  // checks allocate
  long long mine[2] = {static_cast<long long>(id.size()), 0}, all[2];
  for (const int one : id) mine[1] += one;
  MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, test.comm);
  CHECK_EQUAL(all[0], 200 * test.size);
  CHECK_EQUAL(all[1], 200LL * (1000LL * test.size * (test.size - 1) / 2) + 19'900LL * test.size);
  bool inside = true;
  for (const double one : x) inside = inside && one >= test.rank && one < test.rank + 1;
  CHECK(inside);
}

}  // namespace

WHERRY_TEST(many_moves_allocate_nothing, ranks(1, 2, 3)) {
  const auto by_position = [](auto& migrate, auto& x, auto& id) { migrate(wherry::by_position(x), id); };
  check_ring(test, wherry::particle_order::fill_holes, false, by_position);
  check_ring(test, wherry::particle_order::stable, false, by_position);
  check_ring(test, wherry::particle_order::fill_holes, true, by_position);
}

WHERRY_TEST(ghosts_that_are_repeated_allocate_nothing, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  wherry::particle_exchange<2> migrate(grid, {8, 8}, {.lower = {0, 0}, .upper = {1, 1}});
  wherry::ghost_particles<2> ghosts(migrate, 0.2);
  std::vector<double> x, y;
  random_numbers random(hash(test.seed, test.rank));
  for (int i = 0; i < 300; ++i) {
    x.push_back(random.between(0, 999) / 1000.0);
    y.push_back(random.between(0, 999) / 1000.0);
  }
  migrate(wherry::by_position(x, y));
  ghosts.plan(wherry::by_position(x, y));
  std::vector<double> f(x.size(), 1);
  const auto some = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      ghosts.fill(wherry::by_position(x, y));
      ghosts.sum_back(f);
    }
  };
  some(5);
  const long before = allocations;
  some(2000);
  CHECK(allocations - before <= few || wherry::current_settings().check);  // checks allocate
}
