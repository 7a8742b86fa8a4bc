// Ghosts after a mistake: each wrong call leaves the plan and the arrays as they were, and the right call works.
#include <new>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::by_position;
using wherry::error_kind;

namespace {

/// A ring of ranks, each with one unit of length and two particles, of which each has a ghost.
struct ring {
  explicit ring(const context& test)
      : grid(test.comm, {.periodic = {true}}),
        migrate(grid, {.lower = {0}, .upper = {1.0 * test.size}}),
        ghosts(migrate, 0.25),
        x{test.rank + 0.125, test.rank + 0.875},
        id{10 * test.rank, 10 * test.rank + 1} {}
  void check_filled(const context& test) {
    REQUIRE(x.size() == 4 && id.size() == 4);
    const int left = (test.rank + test.size - 1) % test.size, right = (test.rank + 1) % test.size;
    CHECK_EQUAL(x[2] + x[3], 2.0 * test.rank + 1);
    CHECK_EQUAL(id[2] + id[3], 10 * left + 1 + 10 * right);
  }

  wherry::process_grid grid;
  wherry::particle_exchange<1> migrate;
  wherry::ghost_particles<1> ghosts;
  std::vector<double> x;
  std::vector<int> id;
};

}  // namespace

WHERRY_TEST(a_second_plan_wants_a_drop, ranks(1, 2, 3, 4)) {
  ring one(test);
  one.ghosts.plan(by_position(one.x), one.id);
  all_throw(test, "plan twice", error_kind::state, "call 'drop' of the ghosts first",
            [&] { one.ghosts.plan(by_position(one.x), one.id); });
  one.check_filled(test);
  one.id[2] = one.id[3] = -1;
  one.ghosts.fill(one.id);  // the first plan is still there
  one.check_filled(test);
  one.ghosts.drop(by_position(one.x), one.id);
  one.ghosts.plan(by_position(one.x), one.id);
  one.check_filled(test);
  one.ghosts.drop(by_position(one.x), one.id);
  CHECK_EQUAL(one.migrate(by_position(one.x), one.id).count, 2);
}

WHERRY_TEST(a_plan_that_fails_can_be_made_again, ranks(1, 2, 3, 4)) {
  ring one(test);
  const bool bad = test.rank == 0;
  const auto fails = [&] {
    all_throw(test, "lengths", error_kind::argument, "array 1 has 3 elements, but array 0 has 2", [&] {
      auto longer = one.id;
      if (bad) longer.push_back(0);
      one.ghosts.plan(by_position(one.x), longer);
    });
    all_throw(test, "elsewhere", error_kind::argument, "is not in this rank's part of the space", [&] {
      auto x = one.x;
      if (bad) x[0] = -3;
      one.ghosts.plan(by_position(x), one.id);
    });
    all_throw(test, "twice", error_kind::argument, "array 2 is array 1, too",
              [&] { one.ghosts.plan(by_position(one.x), one.id, one.id); });
    CHECK(one.x.size() == 2 && one.id.size() == 2);
  };
  fails();
  one.ghosts.plan(by_position(one.x), one.id);
  one.check_filled(test);
  one.ghosts.drop(by_position(one.x), one.id);
  fails();
  CHECK_EQUAL(one.migrate(by_position(one.x), one.id).count, 2);
  one.ghosts.plan(by_position(one.x), one.id);
  one.check_filled(test);
}

// A rank has no memory for its ghosts: the arrays of all ranks are as before.
WHERRY_TEST(a_plan_goes_on_when_there_is_memory, ranks(1, 2, 3)) {
  struct limited : std::vector<int> {
    std::size_t most = 1000;
    void resize(std::size_t count) {
      if (count > most) throw std::bad_alloc();
      std::vector<int>::resize(count);
    }
  };
  ring one(test);
  limited tag;
  tag.assign(one.id.begin(), one.id.end());
  if (test.rank == 0) tag.most = 3;
  all_throw(test, "memory", error_kind::resource, "bad_alloc",
            [&] { one.ghosts.plan(by_position(one.x), one.id, tag); });
  CHECK(one.x.size() == 2 && one.id.size() == 2 && tag.size() == 2);
  tag.most = 4;
  one.ghosts.plan(by_position(one.x), one.id, tag);
  one.check_filled(test);
  CHECK(tag == one.id);
}

WHERRY_TEST(a_wait_after_a_test_that_was_true_returns, ranks(1, 2, 3, 4)) {
  ring one(test);
  CHECK(one.ghosts.test());  // nothing is under way
  one.ghosts.plan(by_position(one.x), one.id);
  for (int round = 0; round < 3; ++round) {
    one.id[2] = one.id[3] = -1;
    one.x[2] = one.x[3] = -1;
    one.ghosts.start_fill(by_position(one.x), one.id);
    CHECK_THROWS_WITH(one.ghosts.start_fill(one.id), "an exchange of ghosts is under way");
    all_throw(test, "plan", error_kind::state, "an exchange of ghosts is under way: call 'wait' first",
              [&] { one.ghosts.plan(by_position(one.x), one.id); });
    while (!one.ghosts.test()) {
    }
    one.check_filled(test);
    CHECK(one.ghosts.test());
    if (round != 1) one.ghosts.wait();
    one.check_filled(test);
  }
  CHECK_THROWS_WITH(one.ghosts.wait(), "no exchange of ghosts is under way");
}

WHERRY_TEST(an_array_is_given_once, ranks(1, 2, 3)) {
  ring one(test);
  one.ghosts.plan(by_position(one.x), one.id);
  all_throw(test, "fill", error_kind::argument, "array 1 is array 0, too", [&] { one.ghosts.fill(one.id, one.id); });
  all_throw(test, "sum_back", error_kind::argument, "array 1 is array 0, too",
            [&] { one.ghosts.sum_back(one.id, one.id); });
  struct pair {
    int a, b;
  };
  std::vector<pair> both;
  one.ghosts.resize(both);
  for (auto& p : both) p = {1, 2};
  one.ghosts.sum_back(wherry::member_of(both, &pair::a), wherry::member_of(both, &pair::b));
  for (std::size_t i = 0; i < 2; ++i) CHECK(both[i].a == 2 && both[i].b == 4);
  all_throw(test, "a member", error_kind::argument, "array 1 is array 0, too",
            [&] { one.ghosts.sum_back(wherry::member_of(both, &pair::a), wherry::member_of(both, &pair::a)); });
}
