// Answers of a particle exchange and its ghosts: cells of positions, spaces that only the ranks divide, arrays with
// room for ghosts.
#include <cmath>
#include <limits>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::by_position;

WHERRY_TEST(cells_of_positions_are_those_by_which_particles_move, ranks(1, 2, 3, 4)) {
  const auto cells = wherry::domain<2>::torus(wherry::box_of_extents<2>({6, 10}));
  const auto plan = wherry::decompose(cells.cells, test.size, {.largest = {2, 3}});
  const wherry::particle_exchange<2> migrate(test.comm, plan, cells, {.lower = {-1, 0}, .upper = {2, 20}});
  random_numbers random(hash(test.seed, test.rank));
  for (int i = 0; i < 1000; ++i) {
    const double x = random.between(-4000, 4000) / 1000.0, y = random.between(-40'000, 40'000) / 1000.0;
    const auto wrapped = [](double at, double lower, double period) {
      return at - std::floor((at - lower) / period) * period;
    };
    const wherry::point<2> expected{static_cast<wherry::index_t>(std::floor((wrapped(x, -1, 3) + 1) / 0.5)),
                                    static_cast<wherry::index_t>(std::floor(wrapped(y, 0, 20) / 2))};
    const bool on_a_bound = std::abs(std::remainder(x, 0.5)) < 1e-9 || std::abs(std::remainder(y, 2.0)) < 1e-9;
    const auto cell = migrate.cell_of({x, y});
    if (!on_a_bound) CHECK_EQUAL(cell, expected);
    CHECK(cells.cells.contains(cell));
    CHECK_EQUAL(migrate.owner_of({x, y}), plan.owner_of(cell));
    CHECK(plan[plan.box_of(cell)].contains(cell));
  }
  CHECK_THROWS_WITH(migrate.cell_of({std::numeric_limits<double>::quiet_NaN(), 0}), "'position' is outside the space");
}

WHERRY_TEST(a_position_beyond_a_closed_edge_has_no_cell, ranks(1, 2)) {
  const wherry::process_grid grid(test.comm, {.periodic = {false}});
  const wherry::particle_exchange<1> migrate(grid, {4}, {.lower = {0}, .upper = {1}});
  CHECK_THROWS_WITH(migrate.cell_of({1.0}), "'position' is outside the space");
  CHECK_EQUAL(migrate.cell_of({0.99}), wherry::point<1>{3});
  CHECK_EQUAL(migrate.owner_of({-0.1}), -1);
}

// Each rank has an equal part, also along dimensions that the grid does not have.
WHERRY_TEST(ranks_divide_a_space_without_cells, ranks(1, 2, 3, 4, 8)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, false}});
  wherry::particle_exchange<3> migrate(grid, {.lower = {0, 0, 0}, .upper = {1, 2, 3}});
  random_numbers random(hash(test.seed, test.rank));
  std::vector<double> x, y, z;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.between(-2000, 2999) / 1000.0);
    y.push_back(random.between(0, 1999) / 1000.0);
    z.push_back(random.between(0, 2999) / 1000.0);
  }
  migrate(by_position(x, y, z));
  const auto here = grid.coordinates(test.rank);
  const auto lower = [&](std::size_t d, double length) { return here[d] * length / grid.extents()[d]; };
  bool all_are_mine = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all_are_mine = all_are_mine && x[i] >= lower(0, 1) - 1e-9 && x[i] < lower(0, 1) + 1.0 / grid.extents()[0] + 1e-9;
    all_are_mine = all_are_mine && y[i] >= lower(1, 2) - 1e-9 && y[i] < lower(1, 2) + 2.0 / grid.extents()[1] + 1e-9;
  }
  CHECK(all_are_mine);
  long mine = static_cast<long>(x.size()), all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, test.comm);
  CHECK_EQUAL(all, 200L * test.size);
}

WHERRY_TEST(arrays_get_room_for_ghosts, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::particle_exchange<1> migrate(grid, {.lower = {0}, .upper = {1.0 * test.size}});
  wherry::ghost_particles<1> ghosts(migrate, 0.25);
  std::vector<double> x{test.rank + 0.1, test.rank + 0.5}, force;
  ghosts.drop(x);  // nothing is planned
  CHECK_EQUAL(x.size(), 2u);
  CHECK_THROWS_WITH(ghosts.resize(force), "");
  migrate(by_position(x));
  ghosts.plan(by_position(x));
  CHECK_EQUAL(ghosts.count(), 1u);  // the right neighbour's first particle, or its image
  ghosts.resize(force);
  CHECK_EQUAL(force.size(), x.size());
  for (double& f : force) f = 1;
  ghosts.sum_back(force);
  CHECK_EQUAL(force[0], 2.0);
  ghosts.drop(x, force);
  CHECK_EQUAL(force.size(), 2u);
}
