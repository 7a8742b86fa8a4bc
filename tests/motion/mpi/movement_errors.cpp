// Lists of movements that are wrong, that differ between ranks, or that are used wrongly; and what is right though it
// looks odd.
#include <functional>
#include <optional>
#include <vector>

#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::index_t;

namespace {

using array = wherry::x_array<double, 2>;
using stages = wherry::mover_stages;

// Boxes of 4 × 3 cells in a row, one a rank; rank `without` has none.
wherry::floor_plan<2> row(int ranks, int without = -1) {
  wherry::floor_plan<2> plan;
  for (int i = 0; i < ranks; ++i)
    if (i != without) plan.add({{4 * i, 0}, {4 * i + 4, 3}}, i);
  return plan;
}

struct two_arrays {
  wherry::communicator comm;
  array u, v;
  wherry::x_array<float, 2> f;
  wherry::box_motions<2> halo;

  explicit two_arrays(const context& test, int without = -1)
      : comm(test.comm),
        u(comm, row(test.size, without), {.ghost_width = 1, .name = "u"}),
        v(comm, row(test.size, without), {.ghost_width = 1, .name = "v"}),
        f(comm, row(test.size, without), {.ghost_width = 1, .name = "f"}),
        halo(halo_motion(u.plan(), wherry::halo_widths<2>(1), wherry::domain<2>::torus({{0, 0}, {4 * test.size, 3}}))) {
  }
};

}  // namespace

WHERRY_TEST(lists_that_differ, ranks(2, 3, 4)) {
  two_arrays a(test);
  const bool odd = test.rank == test.size - 1;
  const auto differ = error_kind::mismatch;
  const wherry::movement mu(a.halo, a.u, a.u), mv(a.halo, a.v, a.v);
  all_throw(test, "stages", differ, "the ranks disagree on the number of stages",
            [&] { odd ? wherry::mover(stages{{mu}, {mv}}) : wherry::mover({mu, mv}); });
  all_throw(test, "movements", differ, "the ranks disagree on the number of movements of stage 0",
            [&] { odd ? wherry::mover({mu}) : wherry::mover({mu, mv}); });
  all_throw(test, "movements of a later stage", differ, "the number of movements of stage 1",
            [&] { odd ? wherry::mover(stages{{mu}, {mu, mv}}) : wherry::mover(stages{{mu}, {mv}}); });
  all_throw(test, "stages of a motion", differ, "the number of stages of the motions in movement 1",
            [&] { odd ? wherry::mover({mu, {std::vector{a.halo, a.halo}, a.v, a.v}}) : wherry::mover({mu, mv}); });
  all_throw(test, "another order", differ, "the bytes of an element of the source in movement 0",
            [&] { odd ? wherry::mover({{a.halo, a.f, a.f}, mu}) : wherry::mover({mu, {a.halo, a.f, a.f}}); });
  all_throw(test, "dimensions", differ, "the number of dimensions in movement 1", [&] {
    const wherry::floor_plan<1> line(std::vector<wherry::box<1>>{{{0}, {4}}}, {0});
    wherry::x_array<double, 1> w(a.comm, line);
    odd ? wherry::mover({mu, {wherry::motion_plan<1>{}, w, w}}) : wherry::mover({mu, mv});
  });
  all_throw(test, "an update", differ, "whether there is an 'update' in movement 1", [&] {
    odd ? wherry::mover({mu, {a.halo, a.v, a.v, {.update = std::plus<>{}}}}) : wherry::mover({mu, mv});
  });
  all_throw(test, "which update", differ, "sends to rank", [&] {
    wherry::mover({mu, {a.halo, a.v, a.v, {.update = odd ? wherry::reduction(std::plus<>{}) : wherry::maximum{}}}});
  });
  wherry::mover({mu, mv})();
}

WHERRY_TEST(wrong_lists, ranks(1, 2, 3)) {
  two_arrays a(test);
  const auto argument = error_kind::argument;
  const wherry::movement mu(a.halo, a.u, a.u), mv(a.halo, a.v, a.v);
  CHECK_THROWS_WITH(wherry::mover(std::vector<wherry::movement>{}), "'movements' is empty");
  CHECK_THROWS_WITH(wherry::mover(stages{}), "'movements' is empty");
  CHECK_THROWS_WITH(wherry::mover(stages{{}, {}}), "'movements' is empty");
  all_throw(test, "empty stage", argument, "stage 1 has no movements", [&] { wherry::mover(stages{{mu}, {}}); });
  all_throw(test, "no motions", argument, "movement 1: its motions have no stages",
            [&] { wherry::mover({mu, {std::vector<wherry::box_motions<2>>{}, a.v, a.v}}); });
  wherry::motion_plan<2> outside;
  outside.copy(0, 0, {{-2, 0}, {-1, 1}});
  const std::string finder =
      test.rank == 0 ? "movement 1, entry box 0 → box 0: the source section" : "rank 0 reports: ";
  all_throw(test, "outside", argument, finder, [&] { wherry::mover({mu, {outside, a.u, a.v}}); });
  all_throw(test, "outside, in a stage", argument,
            test.rank == 0 ? "movement 0 of stage 1, entry box 0 → box 0" : "rank 0 reports: ", [&] {
              wherry::mover(stages{{mu}, {{outside, a.u, a.v}}});
            });
  all_throw(test, "update of other elements", argument, "movement 1: the update 'add' makes elements of 8 bytes",
            [&] { wherry::mover({mu, {a.halo, a.f, a.f, {.update = wherry::reduction_of<double>(std::plus<>{})}}}); });
  all_throw(test, "snapshot of stages", argument, "'snapshot' needs a plan of one stage",
            [&] { wherry::mover(stages{{mu}, {mv}}, {.carry = {.snapshot = true}}); });
  array pair(a.comm, a.u.plan(), {.ghost_width = 1, .components = 2});
  all_throw(test, "components", argument, "movement 1: the source has 1 components, and the destination has 2",
            [&] { wherry::mover({mu, {a.halo, a.v, pair}}); });
  wherry::mover({mu, mv})();
}

// Found where it is looked for: two movements of one stage must not write the same cells, of several stages they may.
WHERRY_TEST(two_movements_write_the_same_cells, ranks(1, 2, 3)) {
  const setting checking("check", "1", "0");
  two_arrays a(test);
  array w(a.comm, a.u.plan(), {.ghost_width = 1, .name = "w"});
  const wherry::movement from_u(a.halo, a.u, w), from_v(a.halo, a.v, w);
  all_throw(test, "two stores", error_kind::argument, "two arrivals write byte",
            [&] { wherry::mover({from_u, from_v}); });
  all_throw(test, "two stores, named", error_kind::argument, "'w'", [&] { wherry::mover({from_u, from_v}); });
  wherry::mover(stages{{from_u}, {from_v}})();
  const wherry::movement add_u(a.halo, a.u, w, {.update = std::plus<>{}}),
      add_v(a.halo, a.v, w, {.update = std::plus<>{}});
  wherry::mover({add_u, add_v})();
}

WHERRY_TEST(a_rank_that_owns_nothing, ranks(2, 3, 4)) {
  two_arrays a(test, test.size / 2);
  const auto value = [](int number, int k) { return 100 * number + k; };
  wherry::mover both({{a.halo, a.u, a.u}, {a.halo, a.v, a.v}}),
      staged(stages{{{a.halo, a.u, a.u}}, {{a.halo, a.u, a.v}}});
  for (auto* move : {&both, &staged}) {
    for (const auto& [number, cells, values] : a.u.blocks())
      for (int k = 0; k < 4; ++k) values(cells.lower[0] + k, 1) = a.v[number](cells.lower[0] + k, 1) = value(number, k);
    (*move)();
    for (const auto& [number, cells, values] : a.v.blocks()) {
      CHECK_EQUAL(values(cells.lower[0], -1), values(cells.lower[0], 2));
      if (number > 0 && a.v.plan()[number - 1].upper[0] == cells.lower[0])
        CHECK_EQUAL(values(cells.lower[0] - 1, 1), value(number - 1, 3));
    }
  }
}

WHERRY_TEST(other_arrays_for_a_list, ranks(1, 2, 3)) {
  two_arrays a(test), b(test), other(test);
  wherry::mover both({{a.halo, a.u, a.u}, {a.halo, a.f, a.v}});
  const auto set = [](two_arrays& x, double value) {
    for (const auto& block : x.u.blocks()) for_each_point(block.core, [&](const auto& p) { block.values[p] = value; });
    for (const auto& block : x.f.blocks())
      for_each_point(block.core, [&](const auto& p) { block.values[p] = static_cast<float>(value); });
  };
  const auto check = [](const two_arrays& x, double value) {
    for (const auto* array : {&x.u, &x.v})
      for (const auto& block : array->blocks()) CHECK_EQUAL(block.values(block.core.lower[0] - 1, 1), value);
  };
  set(b, 3);
  both.start(b.u, b.u, b.f, b.v);
  both.wait();
  check(b, 3);
  set(b, 4);
  both();  // the last ones again
  check(b, 4);
  const auto refused = [&](const char* words, auto&&... arrays) { CHECK_THROWS_WITH(both.start(arrays...), words); };
  refused("there are 2 arrays, expected 4", b.u, b.u);
  refused("the source of movement 0 and the destination of movement 0 are two arrays, not one", b.u, other.u, b.f, b.v);
  refused("the source of movement 0 and the destination of movement 1 are one array, not two", b.u, b.u, b.f, b.u);
  refused("the source of movement 1 has elements that are 8-byte floating-point where the mover was made for 4-byte",
          b.u, b.u, b.u, b.v);
  both();
  wherry::mover moved = std::move(both);
  set(b, 5);
  moved();
  check(b, 5);
  CHECK_THROWS_WITH(both(), "moved");                          // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_WITH(both.start(b.u, b.u, b.f, b.v), "moved");  // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_WITH(both.schedule(), "moved");                 // NOLINT(bugprone-use-after-move)
}

// One array may be the source of several movements that arrive in different ways; sums are the same by all transports.
WHERRY_TEST(one_source_several_updates, ranks(1, 2, 3, 4)) {
  two_arrays a(test);
  array sum(a.comm, a.u.plan(), {.ghost_width = 1}), least(a.comm, a.u.plan(), {.ghost_width = 1});
  for (const auto& name : usable_transports(test.comm)) {
    wherry::mover all({{a.halo, a.u, a.v},
                       {a.halo, a.u, sum, {.update = std::plus<>{}}},
                       {a.halo, a.u, least, {.update = wherry::minimum{}}}},
                      {.carry = {.transport = name}});
    for (auto* array : std::initializer_list<wherry::x_array<double, 2>*>{&a.u, &a.v, &sum, &least})
      for (const auto& block : array->blocks())
        for_each_point(block.values.cells(), [&](const auto& p) { block.values[p] = array == &a.u ? 7 : 5; });
    all();
    for (const auto& [number, cells, values] : a.v.blocks()) {
      const auto p = cells.lower[0] - 1;
      CHECK_EQUAL(values(p, 1), 7.0);
      CHECK_EQUAL(sum[number](p, 1), 12.0);
      CHECK_EQUAL(least[number](p, 1), 5.0);
    }
    if (test.size > 1) CHECK(all.explain().find("add, min, store") != std::string::npos);
  }
}

// Given up between two stages, by one rank or by all: the others' movers end, and new ones work.
WHERRY_TEST(stages_given_up, ranks(1, 2, 3)) {
  two_arrays a(test);
  for (const bool all : {true, false})
    for (const auto& name : usable_transports(test.comm)) {
      wherry::mover move(stages{{{a.halo, a.u, a.u}}, {{a.halo, a.u, a.v}, {a.halo, a.f, a.f}}},
                         {.carry = {.transport = name}});
      move.start();
      if (all || test.rank == 0)
        move.abandon();
      else
        move.wait();
      wherry::mover({{a.halo, a.u, a.u}, {a.halo, a.v, a.v}}, {.carry = {.transport = name}})();
      pass();  // nobody waits
    }
}

WHERRY_TEST(lists_by_progress_thread, ranks(1, 2).not_simulated("a thread")) {
  two_arrays a(test);
  wherry::mover move(stages{{{a.halo, a.u, a.u}}, {{a.halo, a.u, a.v}, {a.halo, a.f, a.f}}},
                     {.carry = {.progress_thread = true}});
  for (int round = 1; round <= 20; ++round) {
    for (const auto& block : a.u.blocks()) for_each_point(block.core, [&](const auto& p) { block.values[p] = round; });
    move();
    for (const auto& block : a.v.blocks()) CHECK_EQUAL(block.values(block.core.lower[0] - 1, 1), double(round));
  }
}
