// A rank that does not come ends the wait of the others by WHERRY_TIMEOUT. The move goes on with the next wait.
#include <string>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/absent_rank.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

WHERRY_TEST(a_move_goes_on_after_a_timeout, ranks(2, 3, 4).not_simulated(one_environment)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::particle_exchange<1> migrate(grid, {test.size}, {.lower = {0}, .upper = {1.0 * test.size}});
  absent_rank absent(test);
  for (int late = 0; late < test.size; ++late) {
    std::vector<double> x{test.rank + 0.5, test.rank + 1.5};
    bool goes_on = false;
    absent.during(late, [&] {
      const with_setting limit("timeout", "0.2", "0");
      ends_in_time("without rank " + std::to_string(late), late, [&] { migrate(wherry::by_position(x)); });
      goes_on = true;
    });
    const auto moved = goes_on ? migrate.wait() : migrate(wherry::by_position(x));
    CHECK_EQUAL(moved.arrived, 1);
    REQUIRE(x.size() == 2);
    CHECK_EQUAL(x[0], test.rank + 0.5);
    CHECK_EQUAL(x[1], test.rank + 0.5);
  }
}

// The particles of a move that is given up reach the others.
WHERRY_TEST(a_move_that_is_given_up_reaches_the_others, ranks(2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::particle_exchange<1> migrate(grid, {test.size}, {.lower = {0}, .upper = {1.0 * test.size}});
  std::vector<double> x{test.rank + 1.25};
  {
    wherry::particle_exchange<1> other(grid, {test.size}, {.lower = {0}, .upper = {1.0 * test.size}});
    other.start(wherry::by_position(x));
    if (test.rank == 0) {
      CHECK_EQUAL(x.size(), 1);
    } else {
      CHECK_EQUAL(other.wait().arrived, 1);
      CHECK_EQUAL(x[0], test.rank + 0.25);
    }
  }
  std::vector<double> y{0.5};
  CHECK_EQUAL(migrate(wherry::by_position(y)).count, test.rank == 0 ? test.size : 0);
}
