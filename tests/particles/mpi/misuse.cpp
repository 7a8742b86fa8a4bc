// Wrong arguments of one rank are errors on all ranks, which name the particle. Nothing has moved then, and the next
// move works.
#include <array>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using wherry::by_position;
using wherry::error_kind;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A row of ranks, each with one unit of length; periodic in y only.
struct row {
  explicit row(const context& test)
      : grid(test.comm, {.periodic = {false, true}, .extents = {test.size, 1}}),
        migrate(grid, {test.size, 4}, {.lower = {0, 0}, .upper = {1.0 * test.size, 1}}) {
    for (int i = 0; i < 5; ++i) {
      x.push_back(test.rank + 0.1 * i);
      y.push_back(0.2 * i);
      id.push_back(10 * test.rank + i);
    }
  }
  void still_works(const context& test) {
    auto u = x, v = y;
    auto name = id;
    for (auto& one : u) one = test.size - 0.25 - one / 2;
    const auto moved = migrate(by_position(u, v), name);
    CHECK_EQUAL(moved.count, u.size());
    for (const double one : u) CHECK(one >= test.rank && one < test.rank + 1);
    CHECK_EQUAL(u.size(), name.size());
  }

  wherry::process_grid grid;
  wherry::particle_exchange<2> migrate;
  std::vector<double> x, y;
  std::vector<int> id;
};

}  // namespace

WHERRY_TEST(particles_without_a_place_are_named_everywhere, ranks(1, 2, 3, 4, 8)) {
  row one(test);
  const bool bad = test.rank == test.size - 1;
  const auto before = one.x;
  const auto move = [&](double x, double y) {
    auto u = one.x, v = one.y;
    auto id = one.id;
    if (bad) {
      u[3] = x;
      v[3] = y;
    }
    const auto given = u;
    try {
      one.migrate(by_position(u, v), id);
    } catch (...) {
      bool same = u.size() == given.size() && id == one.id;
      for (std::size_t i = 0; same && i < u.size(); ++i) same = i == 3 || u[i] == given[i];
      CHECK(same);
      throw;
    }
  };
  all_throw(test, "not a number", error_kind::argument, "particle 3 at (nan, 0.5) has no position",
            [&] { move(no_number, 0.5); });
  all_throw(test, "infinite", error_kind::argument, "particle 3 at (0.5, inf) has no position",
            [&] { move(0.5, std::numeric_limits<double>::infinity()); });
  all_throw(test, "too far", error_kind::argument, "particle 3 at (0.5, 1e+30) has no position",
            [&] { move(0.5, 1e30); });
  all_throw(test, "below", error_kind::argument, "particle 3 at (-0.25, 0.5) is outside the space",
            [&] { move(-0.25, 0.5); });
  all_throw(test, "at the upper edge", error_kind::argument,
            "is outside the space, beyond an edge that is not periodic", [&] { move(test.size, 0.5); });
  one.still_works(test);

  // A floor plan with a hole.
  const wherry::floor_plan<1> plan({{{0}, {2}}, {{3}, {4}}}, {0, test.size - 1});
  wherry::particle_exchange<1> with_hole(test.comm, plan, {{{0}, {4}}, {false}}, {.lower = {0}, .upper = {4}});
  all_throw(test, "a hole", error_kind::argument, "particle 0 at (2.5) is in cell (2), which no rank owns", [&] {
    std::vector<float> x;
    if (bad) x.push_back(2.5F);
    with_hole(by_position(x));
  });
}

WHERRY_TEST(wrong_arrays_are_errors_everywhere, ranks(1, 2, 3, 4)) {
  row one(test);
  const bool bad = test.rank == 0;
  auto& migrate = one.migrate;
  const auto refused = [&](const char* title, const char* words, auto&& act) {
    all_throw(test, title, error_kind::argument, words, act);
    one.still_works(test);
  };
  std::vector<int> few(bad ? 4 : 5), lengths(5, 2), values(bad ? 9 : 10), negative(5, bad ? -1 : 0), none;
  refused("a short array", "array 2 has 4 elements, but array 0 has 5",
          [&] { migrate(by_position(one.x, one.y), few); });
  refused("values", "array 3 has 9 values, but the lengths of the particles add up to 10",
          [&] { migrate(by_position(one.x, one.y), wherry::ragged(lengths, values)); });
  refused("negative lengths", "particle 0 has -1 values",
          [&] { migrate(by_position(one.x, one.y), wherry::ragged(negative, none)); });
  std::vector<char> mask(bad ? 3 : 5);
  refused("a mask", "the mask has 3 elements for 5 particles",
          [&] { migrate(wherry::leavers(mask), by_position(one.x, one.y)); });
  std::vector<int> list{0, bad ? 5 : 4};
  refused("a list", "entry 1 of the list of leavers is 5, but there are 5 particles",
          [&] { migrate(wherry::leavers(list), by_position(one.x, one.y)); });
  std::vector<long> twice{2, bad ? 2 : 3};
  refused("twice", "the list of leavers has particle 2 twice",
          [&] { migrate(wherry::leavers(twice), by_position(one.x, one.y)); });
  all_throw(test, "an array twice", error_kind::argument, "array 2 is array 0, too",
            [&] { migrate(by_position(one.x, one.y), one.x); });
  std::vector<int> owners(5, bad ? test.size : 0);
  refused("an owner", "the owner of particle 0 is ", [&] { migrate(wherry::by_owner(owners), one.x, one.y); });
  owners.assign(bad ? 6 : 5, 0);
  refused("owners", "the list of owners has 6 entries for 5 particles",
          [&] { migrate(wherry::by_owner(owners), one.x, one.y); });
  std::vector<wherry::point<2>> cells(5, {bad ? -1 : 0, 0});
  refused("a cell", "particle 0 is in cell (-1, 0), which no rank owns",
          [&] { migrate(wherry::by_cell(cells), one.x, one.y); });
  if (test.size > 1) {
    all_throw(test, "other arrays", error_kind::mismatch, "the ranks disagree on", [&] {
      if (bad)
        migrate(by_position(one.x, one.y));
      else
        migrate(by_position(one.x, one.y), one.id);
    });
    all_throw(test, "other types", error_kind::mismatch, "the ranks disagree on", [&] {
      std::vector<float> single(5);
      if (bad)
        migrate(by_position(one.x, one.y), single);
      else
        migrate(by_position(one.x, one.y), one.id);
    });
    one.still_works(test);
  }
}

WHERRY_TEST(calls_out_of_order_are_errors, ranks(1, 2, 3)) {
  row one(test);
  CHECK_THROWS_WITH(one.migrate.wait(), "no move is under way");
  CHECK_THROWS_WITH(one.migrate.test(), "no move is under way");
  CHECK_THROWS_WITH(one.migrate.permutation(), "there was no move");
  one.migrate.start(by_position(one.x, one.y), one.id);
  CHECK_THROWS_WITH(one.migrate.start(by_position(one.x, one.y)), "a move is under way");
  while (!one.migrate.test()) {
  }
  CHECK_EQUAL(one.migrate.wait().count, 5);
}

// A rank that has no memory for the particles that have come can free some, and go on.
WHERRY_TEST(a_move_goes_on_when_there_is_memory, ranks(1, 2, 3)) {
  struct limited : std::vector<int> {
    std::size_t most = 1000;
    void resize(std::size_t count) {
      if (count > most) throw std::bad_alloc();
      std::vector<int>::resize(count);
    }
  };
  row one(test);
  limited id;
  id.assign(one.id.begin(), one.id.end());
  id.most = 5;
  for (auto& x : one.x) x = 0.5;
  const auto move = [&] { return one.migrate(by_position(one.x, one.y), id); };
  if (test.rank == 0 && test.size > 1) {
    CHECK_THROWS_WITH(move(), "there is no memory for ");
    CHECK_EQUAL(one.x.size(), 5);
    id.most = 1000;
    CHECK_EQUAL(one.migrate.wait().count, 5 * test.size);
    CHECK_EQUAL(id.size(), 5 * test.size);
    CHECK_EQUAL(id.back(), 10 * (test.size - 1) + 4);
  } else {
    CHECK_EQUAL(move().count, test.rank == 0 ? 5 : 0);
  }
}

// A rank that has no memory to pack its particles does not keep the others waiting.
WHERRY_TEST(a_move_that_cannot_be_packed_is_an_error_everywhere, ranks(2, 3, 4)) {
  struct failing : std::vector<int> {
    bool fails = false;
    int* data() {
      if (fails) throw std::bad_alloc();
      return std::vector<int>::data();
    }
  };
  row one(test);
  failing id;
  id.assign(one.id.begin(), one.id.end());
  auto x = one.x;
  for (auto& at : x) at = test.size - 1 - test.rank + 0.5;
  id.fails = test.rank == 0;
  all_throw(test, "pack", error_kind::resource, "bad_alloc", [&] { one.migrate(by_position(x, one.y), id); });
  CHECK(x.size() == 5 && id.size() == 5);
  id.fails = false;
  CHECK_EQUAL(one.migrate(by_position(x, one.y), id).count, 5);
  CHECK_EQUAL(id.front(), 10 * (test.size - 1 - test.rank));
}

// A rank may have no memory for values only: the number of its particles stays.
WHERRY_TEST(a_move_of_values_goes_on_when_there_is_memory, ranks(1, 2, 3, 4)) {
  struct limited : std::vector<int> {
    std::size_t most = 1000;
    void resize(std::size_t count) {
      if (count > most) throw std::bad_alloc();
      std::vector<int>::resize(count);
    }
  };
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  for (const auto order : {wherry::particle_order::fill_holes, wherry::particle_order::stable}) {
    wherry::particle_exchange<1> migrate(grid, {.lower = {0}, .upper = {1.0 * test.size}}, {.order = order});
    std::vector<double> x{test.rank + 0.25, test.rank + 0.75};
    std::vector<int> lengths{1, 2 + test.rank}, few{0, 1};
    limited values;
    std::vector<long> other{test.rank + 50L};
    for (int k = 0; k < 3 + test.rank; ++k) values.push_back(10 * test.rank + k);
    const auto before = x;
    const auto values_before = static_cast<std::vector<int>>(values);
    for (auto& at : x) at += 1;
    const int from = (test.rank + test.size - 1) % test.size;
    const bool grows = from > test.rank;
    if (grows) values.most = values.size();
    const auto move = [&] {
      return migrate(by_position(x), wherry::ragged(few, other), wherry::ragged(lengths, values));
    };
    if (grows) {
      CHECK_THROWS_WITH(move(), "there is no memory for 2 particles: free some, and call 'wait' again");
      CHECK(x.size() == 2 && x[0] == before[0] + 1);
      CHECK(static_cast<const std::vector<int>&>(values) == values_before);
      values.most = 1000;
      CHECK_EQUAL(migrate.wait().count, 2);
    } else {
      CHECK_EQUAL(move().count, 2);
    }
    CHECK_EQUAL(x[0], before[0]);
    REQUIRE(values.size() == static_cast<std::size_t>(3 + from) && other.size() == 1);
    CHECK(lengths[0] == 1 && lengths[1] == 2 + from);
    for (int k = 0; k < 3 + from; ++k) CHECK_EQUAL(values[static_cast<std::size_t>(k)], 10 * from + k);
    CHECK(few[1] == 1 && other[0] == from + 50);
  }
}

WHERRY_TEST(wrong_spaces_are_refused, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {false, false}});
  using exchange = wherry::particle_exchange<2>;
  all_throw(test, "no volume", error_kind::argument, "the space reaches from 1 to 1 along dimension 1",
            [&] { exchange(grid, {8, 8}, {.lower = {0, 1}, .upper = {1, 1}}); });
  all_throw(test, "no cells", error_kind::argument, "the space has 0 cells along dimension 0",
            [&] { exchange(grid, {0, 8}, {.lower = {0, 0}, .upper = {1, 1}}); });
  all_throw(test, "flat edges", error_kind::argument, "the edges of the space have the volume 0",
            [&] { exchange(grid, {8, 8}, {.edges = {{{1, 1}, {2, 2}}}}); });
  all_throw(test, "no neighbors", error_kind::argument, "'neighbors_only' wants a space",
            [&] { exchange(test.comm, {.neighbors_only = true}); });
  if (test.size > 1)
    all_throw(test, "differ", error_kind::mismatch, "the ranks disagree on the bits of 'upper' along dimension 1",
              [&] { exchange(grid, {8, 8}, {.lower = {0, 0}, .upper = {1, 1.0 + test.rank}}); });
  exchange bare(test.comm);
  std::vector<double> x(1), y(1);
  all_throw(test, "no space", error_kind::argument, "this exchange was made without a space",
            [&] { bare(by_position(x, y)); });
  std::vector<int> to{0};
  CHECK_EQUAL(bare(wherry::by_owner(to), x, y).count, test.rank == 0 ? test.size : 0);
  CHECK_THROWS_WITH(bare.owner_of({0, 0}), "without a space");
}

// Checks find what costs too much to look for in each step.
WHERRY_TEST(checks_find_more, ranks(1, 2, 3, 4, 8).not_simulated(one_environment)) {
  row one(test);
  const with_setting checks("check", "1", "0");
  const bool bad = test.rank == 0;
  all_throw(test, "not marked", error_kind::argument, "particle 2 has left its place, but is not among the leavers",
            [&] {
              auto x = one.x, y = one.y;
              if (bad) y[2] = 1.5;
              one.migrate(wherry::leavers(std::vector<int>{1}), by_position(x, y));
            });
  if (test.size > 3) {
    wherry::particle_exchange<2> near(one.grid, {test.size, 4}, {.lower = {0, 0}, .upper = {1.0 * test.size, 1}},
                                      {.neighbors_only = true});
    all_throw(test, "far", error_kind::argument, "particle 4 moves to rank 2, which has no box beside this rank's",
              [&] {
                auto x = one.x, y = one.y;
                if (bad) x[4] = 2.5;
                near(by_position(x, y));
              });
    CHECK_EQUAL(near(by_position(one.x, one.y)).count, 5);
  }
  one.still_works(test);
}

WHERRY_TEST(wrong_ghosts_are_errors, ranks(1, 2, 3, 4)) {
  row one(test);
  const bool bad = test.rank == test.size - 1;
  all_throw(test, "a negative cut-off", error_kind::argument, "the cut-off is -1",
            [&] { wherry::ghost_particles<2>(one.migrate, -1); });
  all_throw(test, "an infinite cut-off", error_kind::argument, "the cut-off is inf, expected a finite distance",
            [&] { wherry::ghost_particles<2>(one.migrate, std::numeric_limits<double>::infinity()); });
  for (const double far : {1e300, 1e15})
    all_throw(test, "a huge cut-off", error_kind::argument, "periodic images of the space, expected at most",
              [&] { wherry::ghost_particles<2>(one.migrate, far); });
  all_throw(test, "no space", error_kind::argument, "was made without a space",
            [&] { wherry::ghost_particles<2>(wherry::particle_exchange<2>(test.comm), 1); });
  wherry::ghost_particles<2> ghosts(one.migrate, 0.25);
  CHECK_THROWS_WITH(ghosts.start_fill(one.id), "no ghosts are planned");
  CHECK_THROWS_WITH(ghosts.wait(), "no exchange of ghosts is under way");
  all_throw(test, "elsewhere", error_kind::argument, "particle 1 at (-1, 0.2) is not in this rank's part of the space",
            [&] {
              auto x = one.x;
              if (bad) x[1] = -1;
              ghosts.plan(by_position(x, one.y));
            });
  all_throw(test, "lengths", error_kind::argument, "array 2 has 6 elements, but array 0 has 5", [&] {
    auto id = one.id;
    if (bad) id.push_back(0);
    ghosts.plan(by_position(one.x, one.y), id);
  });
  ghosts.plan(by_position(one.x, one.y), one.id);
  ghosts.fill(one.id);
  std::vector<int> few(ghosts.owned());
  few.resize(ghosts.owned() + ghosts.count() - 1);
  CHECK_THROWS_WITH(ghosts.start_fill(few), "array 0 has ");
  if (ghosts.count() > 0) CHECK_THROWS_WITH(static_cast<void>(ghosts.owner_of(ghosts.count())), "there is no ghost");
  all_throw(test, "not dropped", error_kind::state, "ghosts behind the",
            [&] { one.migrate(by_position(one.x, one.y), one.id); });
  ghosts.drop(by_position(one.x, one.y), one.id);
  CHECK_EQUAL(one.x.size(), ghosts.owned());
  one.migrate(by_position(one.x, one.y), one.id);
  CHECK_THROWS_WITH(ghosts.start_fill(one.id), "particles have moved since the ghosts were planned");
  CHECK_THROWS_WITH(ghosts.drop(one.id), "particles have moved since the ghosts were planned");
}

// Without periods, a huge cut-off reaches all particles.
WHERRY_TEST(a_huge_cutoff_ends_at_closed_edges, ranks(1, 2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {false}});
  wherry::particle_exchange<1> migrate(grid, {.lower = {0}, .upper = {1.0 * test.size}});
  for (const double far : {1e15, 1e300}) {
    std::vector<double> x{test.rank + 0.5};
    wherry::ghost_particles<1> ghosts(migrate, far);
    ghosts.plan(by_position(x));
    CHECK_EQUAL(ghosts.count(), test.size - 1);
    ghosts.drop(x);
  }
}

// A partial floor plan must know the boxes beside this rank's if particles may only move there.
WHERRY_TEST(neighbors_are_known, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const auto space = wherry::domain<1>::torus(wherry::box_of_extents<1>({4 * test.size}));
  const std::vector<wherry::box<1>> mine{{{4 * test.rank}, {4 * test.rank + 4}}};
  const auto own = wherry::distributed_floor_plan<1>(comm, mine, 0, space);
  const wherry::particle_space<1> line{.lower = {0}, .upper = {1.0 * test.size}};
  const auto make = [&](const wherry::floor_plan<1>& plan) {
    return wherry::particle_exchange<1>(comm, plan, space, line, {.neighbors_only = true});
  };
  all_throw(test, "too little", error_kind::argument,
            "particle_exchange, rank " + std::to_string(test.rank) +
                ": the partial floor plan knows too little: this needs a reach of 1",
            [&] { make(own); });
  auto migrate = make(wherry::resolve(comm, own, wherry::halo_widths<1>(1), space));
  std::vector<double> x{test.rank + 1.5};
  migrate(by_position(x));
  REQUIRE(x.size() == 1);
  CHECK_EQUAL(x[0], test.rank + 0.5);
}
