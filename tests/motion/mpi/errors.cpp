// Wrong floor plans, arrays, motion plans and calls: the right kind of error, with words that help, before anything is
// sent, on all ranks alike.
#include <array>
#include <functional>

#include "wherry/core/settings.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using wherry::error_kind;
using namespace wherry_test;

namespace {

using box = wherry::box<2>;
using floor_plan = wherry::floor_plan<2>;
using motion_plan = wherry::motion_plan<2>;
using array = wherry::x_array<double, 2>;

// Boxes of 4 × 3 cells in a row, two a rank.
floor_plan row(const context& test) {
  floor_plan plan;
  for (int i = 0; i < 2 * test.size; ++i) plan.add({{4 * i, 0}, {4 * i + 4, 3}}, i / 2);
  return plan;
}

// What is right: every box gets the first column of the next one into its ghost cells.
motion_plan columns(const context& test) {
  motion_plan plan;
  for (int i = 0; i + 1 < 2 * test.size; ++i) plan.copy(i + 1, i, {{4 * i + 4, 0}, {4 * i + 5, 3}});
  return plan;
}

struct row_of_boxes {
  wherry::communicator comm;
  array u, v;

  explicit row_of_boxes(const context& test)
      : comm(test.comm), u(comm, row(test), {.ghost_width = 1}), v(comm, row(test), {.ghost_width = 1}) {}

  // All is well again after the errors.
  void check_usable(const context& test) {
    wherry::mover move(columns(test), u, u);
    for (const auto& [number, cells, values] : u.blocks())
      for (int j = 0; j < 3; ++j) values(cells.lower[0], j) = 10 * number + j;
    move();
    for (const auto& [number, cells, values] : u.blocks())
      for (int j = 0; j < 3 && number + 1 < 2 * test.size; ++j)
        CHECK_EQUAL(values(cells.upper[0], j), 10 * (number + 1) + j);
  }
};

// The entry is one of a single rank's, the last; the others must hear of it. Then the same plan on all ranks.
void wrong_entry(const context& test, const std::string& title, const std::string& words,
                 const wherry::motion<2>& entry) {
  row_of_boxes a(test);
  const int culprit = test.size - 1;
  auto wrong = columns(test);
  wrong.add(entry);
  all_throw(test, title + ", from one rank", error_kind::argument,
            test.rank == culprit ? words : "rank " + std::to_string(culprit) + " reports: ", [&] {
              wherry::mover(test.rank == culprit ? wrong : columns(test), a.u, a.v);
            });
  all_throw(test, title, error_kind::argument, words, [&] { wherry::mover(wrong, a.u, a.v); });
  a.check_usable(test);
}

}  // namespace

WHERRY_TEST(wrong_floor_plans, ranks(1)) {
  const std::vector<box> two{{{0, 0}, {1, 1}}, {{1, 0}, {2, 1}}};
  CHECK_THROWS_WITH(floor_plan(two, {0}), "there are 2 boxes but 1 owners");
  CHECK_THROWS_WITH(floor_plan(two, {0, -3}), "box 1 has owner -3");
  CHECK_THROWS_WITH(floor_plan(5, {1}, two, {0, 0}), "there are 2 boxes but 1 numbers");
  CHECK_THROWS_WITH(floor_plan(5, {1, 2}, two, {0}), "there are 2 boxes but 1 owners");
  CHECK_THROWS_WITH(floor_plan(5, {2, 2}, two, {0, 0}), "2 is followed by 2");
  CHECK_THROWS_WITH(floor_plan(5, {-1, 2}, two, {0, 0}), "the first is -1");
  CHECK_THROWS_WITH(floor_plan(5, {2, 5}, two, {0, 0}), "smaller than 5, but 2 is followed by 5");
  const floor_plan whole(two, {0, 1}), part(5, {1, 3}, two, {0, 1});
  CHECK_THROWS_WITH(whole[2], "box 2 of 2");
  CHECK_THROWS_WITH(whole.owner(-1), "box -1 of 2");
  CHECK_THROWS_WITH(part[2], "box 2 is not known");
  CHECK_THROWS_WITH(part[5], "box 5 of 5");
  floor_plan grows(5, {1, 3}, two, {0, 1});
  CHECK_THROWS_WITH(grows.add(two[0], 0), "partial");
  floor_plan complete(two, {0, 1});
  CHECK_THROWS_WITH(complete.add(two[0], -1), "box 2 has owner -1");
}

WHERRY_TEST(wrong_arguments_of_builders, ranks(1)) {
  const floor_plan plan({{{0, 0}, {4, 4}}}, {0});
  const auto space = wherry::domain<2>::torus({{0, 0}, {4, 4}});
  CHECK_THROWS_WITH(wherry::halo_motion<2>(plan, wherry::halo_widths<2>({1, -2}), space),
                    "'widths' are -2 and -2 in dimension 1");
  CHECK_THROWS_WITH(wherry::transposition<2>(plan, plan, {1, 1}), "not a permutation");
  CHECK_THROWS_WITH(wherry::transposition<2>(plan, plan, {0, 2}), "not a permutation");
  CHECK_THROWS_WITH(wherry::coarsened<2>(plan, {2, 0}), "'ratio' is 0 in dimension 1");
}

WHERRY_TEST(wrong_arrays, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  const auto good = row(test);
  const auto argument = error_kind::argument;
  auto beyond = good;
  beyond.add({{0, 0}, {1, 1}}, test.size);
  const std::string beyond_text = "box " + std::to_string(good.size()) + " has owner " + std::to_string(test.size);
  all_throw(test, "owner out of range", argument, beyond_text, [&] { array(comm, beyond); });
  all_throw(test, "order", argument, "'layout' is not a permutation", [&] { array(comm, good, {.layout = {{0, 0}}}); });
  all_throw(test, "components", argument, "'components' is 0", [&] { array(comm, good, {.components = 0}); });
  all_throw(test, "ghosts", argument, "dimension 1 has ghost widths 0 and -1",
            [&] { array(comm, good, {.ghost_width = {{0, 0}, {0, -1}}}); });
  array u(comm, good);
  all_throw(test, "foreign grid", argument, "grid 9999", [&] { u[9999]; });
  all_throw(test, "negative grid", argument, "grid -1", [&] { u[-1]; });
}

WHERRY_TEST(wrong_grids_of_the_user, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  const auto plan = row(test);
  const auto argument = error_kind::argument;
  using view = wherry::grid_view<double, 2>;
  std::vector<double> memory(2 * 6 * 5 * 2);
  const auto grids = [&] {
    std::vector<view> list;
    for (const int number : plan.owned_by(test.rank))
      list.emplace_back(memory.data() + 60 * (number % 2), grow(plan[number], 1));
    return list;
  };
  const auto make = [&](const std::vector<view>& list, int components = 1) {
    return array(comm, plan, list, {.ghost_width = 1, .components = components});
  };
  auto wrong = grids();
  wrong.pop_back();
  all_throw(test, "too few", argument, "1 grids were given, but the rank owns 2 boxes", [&] { make(wrong); });
  wrong = grids();
  wrong[1] = view(memory.data(), plan[2 * test.rank + 1]);
  all_throw(test, "without ghost cells", argument, "grid 1 does not cover box", [&] { make(wrong); });
  all_throw(test, "components", argument, "1 components, expected 2", [&] { make(grids(), 2); });
  wrong = grids();
  wrong[0] = view(nullptr, grow(plan[2 * test.rank], 1));
  all_throw(test, "null", argument, "grid 0", [&] { make(wrong); });
  // The right ones move.
  auto u = make(grids());
  wherry::mover move(columns(test), u, u);
  for (const auto& [number, cells, values] : u.blocks()) values(cells.lower[0], 1) = number;
  move();
  if (test.rank > 0 || test.size > 1) CHECK_EQUAL(u[2 * test.rank](8 * test.rank + 4, 1), 2 * test.rank + 1);
}

WHERRY_TEST(nothing_is_around_an_empty_box, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  const wherry::floor_plan<2> plan({{{0, 0}, {4, 4}}, {{4, 0}, {4, 4}}}, {0, test.size - 1});
  wherry::x_array<double, 2> u(comm, plan, {.ghost_width = 2});
  wherry::motion_plan<2> entries;
  entries.copy(0, {{0, 0}, {1, 1}}, 1, {{4, 1}, {5, 2}});
  all_throw(test, "ghost cells of an empty box", error_kind::argument,
            test.size == 1 || test.rank <= 1 ? "the destination section is not inside grid 1" : "",
            [&] { wherry::mover(entries, u, u); });
}

WHERRY_TEST(wrong_entries, ranks(1, 2, 3, 4)) {
  // All of them concern the last rank only.
  const int last = 2 * test.size - 1, before = last - 1;
  const std::string number = std::to_string(last), total = std::to_string(last + 1), name = "box " + number;
  const box here{{4 * last, 0}, {4 * last + 2, 3}}, there{{4 * before, 0}, {4 * before + 2, 3}};
  wrong_entry(test, "source number", "box " + total + " of " + total, {last + 1, last, here, here});
  wrong_entry(test, "destination number", "box " + total + " of " + total, {last, last + 1, here, here});
  wrong_entry(test, "negative number", "box -1 of " + total, {-1, last, here, here});
  wrong_entry(test, "negative destination", "box -7 of " + total, {last, -7, here, here});
  wrong_entry(test, "sizes", "the source section has 6 points, and the destination section has 9",
              {before, last, there, {{4 * last, 0}, {4 * last + 3, 3}}});
  wrong_entry(test, "source outside", "the source section is not inside grid " + std::to_string(before),
              {before, last, here, here});
  wrong_entry(test, "destination outside", "the destination section is not inside grid " + number,
              {before, last, there, there});
  wrong_entry(test, "one cell outside", "the destination section is not inside grid " + number,
              {before, last, there, {{4 * last, 2}, {4 * last + 2, 5}}});
  wrong_entry(test, "no permutation", "axes are not a permutation", {before, last, there, here, {0, 0}});
  wrong_entry(test, "no such axis", "axes are not a permutation", {before, last, there, here, {1, 2}});
  wrong_entry(test, "shapes along axes", "extents do not correspond", {before, last, there, here, {1, 0}});
  wrong_entry(test, "names the entry", "entry box " + std::to_string(before) + " → box " + number,
              {before, last, here, here});
}

WHERRY_TEST(wrong_options_of_movers, ranks(1, 2, 4)) {
  row_of_boxes a(test);
  const auto argument = error_kind::argument;
  array vectors(a.comm, row(test), {.ghost_width = 1, .components = 3});
  all_throw(test, "components", argument, "the source has 1 components, and the destination has 3",
            [&] { wherry::mover(columns(test), a.u, vectors); });
  all_throw(test, "update", argument, "elements of 24 bytes", [&] {
    wherry::mover(columns(test), a.u, a.u,
                  {.update = wherry::make_reduction<std::array<double, 3>>("add", [](auto x, auto) { return x; })});
  });
  all_throw(test, "transport", argument, "'carrier_pigeon'; there are auto, ",
            [&] { wherry::mover(columns(test), a.u, a.u, {.carry = {.transport = "carrier_pigeon"}}); });
  if (test.size > 1) {
    all_throw(test, "transports", error_kind::mismatch, "disagree on the transport", [&] {
      wherry::mover(columns(test), a.u, a.u, {.carry = {.transport = test.rank == 0 ? "two_sided" : "persistent"}});
    });
    all_throw(test, "update on one rank", error_kind::mismatch, "disagree on whether there is an 'update'", [&] {
      wherry::mover_options how;
      if (test.rank == 0) how.update = std::plus<>{};
      wherry::mover(columns(test), a.u, a.u, how);
    });
    array other(a.comm, row(test), {.ghost_width = 1, .components = test.rank == 0 ? 1 : 2});
    all_throw(test, "components on one rank", error_kind::mismatch,
              "disagree on the number of components of the source",
              [&] { wherry::mover(columns(test), other, other); });
  }
  a.check_usable(test);
}

WHERRY_TEST(different_plans, ranks(2, 3, 4)) {
  row_of_boxes a(test);
  const auto plan = columns(test);
  // Rank 0 gets its column from rank 1; here they see it differently.
  const auto with = [&](int rank, const wherry::motion<2>& instead) {
    motion_plan changed;
    for (const auto& e : plan) changed.add(test.rank == rank && e.from == 2 && e.to == 1 ? instead : e);
    return changed;
  };
  const box column{{8, 0}, {9, 3}}, shorter{{8, 0}, {9, 2}};
  const auto differ = [&](const std::string& title, const std::string& words, const motion_plan& given) {
    all_throw(test, title, error_kind::mismatch, words, [&] { wherry::mover(given, a.u, a.u); });
  };
  differ("shorter at the source", "rank 1 sends 16 bytes to rank 0, which expects 24 bytes",
         with(1, {2, 1, shorter, shorter}));
  differ("shorter at the destination", "rank 1 sends 24 bytes to rank 0, which expects 16 bytes",
         with(0, {2, 1, shorter, shorter}));
  differ("missing at the source", "rank 0 expects 24 bytes from rank 1, which sends nothing to it",
         with(1, {2, 2, column, column}));
  differ("missing at the destination", "rank 1 sends 24 bytes to rank 0, which expects nothing from it",
         with(0, {0, 0, {{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}}));
  {  // As many bytes, but not the same cells: for those who ask.
    const setting check("check", "1", "0");
    const box second{{9, 0}, {10, 3}};
    differ("another column",
           "rank 1 sends box 2 [9:10,0:3) → box 1 [8:9,0:3) to rank 0, which expects box 2 [8:9,0:3) →",
           with(1, {2, 1, second, column}));
    differ("another box", "rank 1 sends box 3 [12:13,0:3) → box 1 [8:9,0:3) to rank 0, which expects box 2 [8:9,0:3) →",
           with(1, {3, 1, {{12, 0}, {13, 3}}, column}));
    const box square{{8, 0}, {10, 2}}, place{{6, 0}, {8, 2}};
    differ("axes", "rank 1 sends box 2 [8:10,0:2) → box 1 [6:8,0:2), axes 1 0 to rank 0",
           test.rank == 0 ? with(0, {2, 1, square, place}) : with(1, {2, 1, square, place, {1, 0}}));
  }
  a.check_usable(test);
}

WHERRY_TEST(overlapping_destinations, ranks(1, 2, 4)) {
  row_of_boxes a(test);
  // Two entries for the same cells of the last rank: one from itself, one from the first rank.
  const int last = 2 * test.size - 1;
  auto plan = columns(test);
  plan.copy(last - 1, {{4 * last - 4, 0}, {4 * last - 2, 3}}, last, {{4 * last, 0}, {4 * last + 2, 3}});
  plan.copy(0, {{0, 0}, {2, 3}}, last, {{4 * last + 1, 0}, {4 * last + 3, 3}});
  {
    const setting check("check", "1", "0");
    all_throw(test, "overlap", error_kind::argument,
              test.rank == test.size - 1 ? "two arrivals write byte" : "rank " + std::to_string(test.size - 1),
              [&] { wherry::mover(plan, a.u, a.v); });
    wherry::mover added(plan, a.u, a.v, {.update = std::plus<>{}});  // is no overlap
    added();
    a.check_usable(test);
  }
  wherry::mover unchecked(plan, a.u, a.v);  // its order is not defined, but it ends
  unchecked();
}

WHERRY_TEST(wrong_starts, ranks(1, 2, 4)) {
  row_of_boxes a(test);
  const auto argument = error_kind::argument;
  wherry::mover move(columns(test), a.u, a.v);
  array wider(a.comm, row(test), {.ghost_width = 2}), vectors(a.comm, row(test), {.ghost_width = 1, .components = 2});
  wherry::x_array<float, 2> floats(a.comm, row(test), {.ghost_width = 1});
  const std::string words = "arrays of other shapes";
  all_throw(test, "ghost widths", argument, words, [&] { move.start(wider, a.v); });
  all_throw(test, "destination", argument, words, [&] { move.start(a.u, wider); });
  all_throw(test, "components", argument, words, [&] { move.start(vectors, a.v); });
  all_throw(test, "element", argument, words, [&] { move.start(floats, a.v); });
  all_throw(test, "one array for two", argument, words, [&] { move.start(a.u, a.u); });
  wherry::mover within(columns(test), a.u, a.u);
  all_throw(test, "two arrays for one", argument, words, [&] { within.start(a.u, a.v); });
  all_throw(test, "wait without start", error_kind::state, "'wait' was called without 'start'", [&] { move.wait(); });
  move.start();
  all_throw(test, "start twice", error_kind::state, "'start' was called again before 'wait'", [&] { move.start(); });
  all_throw(test, "start twice with arrays", error_kind::state, "'start' was called again before 'wait'",
            [&] { move.start(a.v, a.u); });
  move.wait();
  CHECK(move.test());
  within.start(a.v, a.v);  // the same shape
  within.wait();
  a.check_usable(test);
}

// A rank whose part of the floor plan lacks a box that its entries name.
WHERRY_TEST(boxes_that_are_not_known, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const auto whole = row(test);
  // Boxes `from` to `to`, exclusive.
  const auto part = [&](int from, int to) {
    std::vector<int> numbers, owners;
    std::vector<box> boxes;
    for (int i = std::max(0, from); i < std::min(to, whole.size()); ++i) {
      numbers.push_back(i);
      boxes.push_back(whole[i]);
      owners.push_back(whole.owner(i));
    }
    return floor_plan(whole.size(), numbers, boxes, owners);
  };
  const auto entries = [&] {
    motion_plan mine;
    for (const auto& e : columns(test))
      if (whole.owner(e.from) == test.rank || whole.owner(e.to) == test.rank) mine.add(e);
    return mine;
  };
  const int first = 2 * test.rank;
  {  // Rank 0 does not know the box of rank 1 that it gets a column of.
    array u(comm, test.rank == 0 ? part(0, 2) : part(first - 1, first + 3), {.ghost_width = 1});
    all_throw(test, "unknown source", error_kind::argument,
              test.rank == 0 ? "box 2 is not known" : "rank 0 reports: ", [&] { wherry::mover(entries(), u, u); });
  }
  {  // Rank 1 does not know whom it sends to.
    array u(comm, test.rank == 1 ? part(2, 5) : part(first - 1, first + 3), {.ghost_width = 1});
    all_throw(test, "unknown destination", error_kind::argument,
              test.rank == 1 ? "box 1 is not known" : "rank 1 reports: ", [&] { wherry::mover(entries(), u, u); });
  }
  array u(comm, part(first - 1, first + 3), {.ghost_width = 1});
  wherry::mover move(entries(), u, u);
  move();
  all_throw(test, "foreign grid", error_kind::argument, "is not on this rank",
            [&] { u[test.rank == 0 ? 2 : first - 1]; });
}

// Copies whose entries were looked at are not looked at again, unless somebody has seen them who may have changed them.
WHERRY_TEST(a_schedule_that_was_changed_is_looked_at_again, ranks(1, 2, 3)) {
  row_of_boxes a(test);
  bool any = false;
  wherry::mover(columns(test), a.u, a.v,
                {.inspected = [&](wherry::plans::schedule& made) { any = made.stages[0].copies.size() == 1; }});
  CHECK(any);
  const auto moved = [](wherry::plans::schedule& made) { made.copies[0].to.offset += 1 << 20; };
  all_throw(test, "a copy to elsewhere", error_kind::argument, "a copy touches bytes",
            [&] { wherry::mover(columns(test), a.u, a.v, {.inspected = moved}); });
  a.check_usable(test);
}

// The user's grids are larger than their boxes with ghost cells: what lies beyond is his, in copies as in messages.
WHERRY_TEST(cells_beyond_the_ghost_cells_are_out_of_reach, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  const auto plan = row(test);
  std::vector<double> memory(2 * 8 * 7, -1);
  std::vector<wherry::grid_view<double, 2>> grids;
  for (const int number : plan.owned_by(test.rank))
    grids.emplace_back(memory.data() + 56 * (number % 2), grow(plan[number], 2));
  array u(comm, plan, grids, {.ghost_width = 1});
  auto wrong = columns(test);
  wrong.copy(1, 0, {{4, 0}, {6, 3}});  // two columns
  all_throw(test, "two columns", error_kind::argument,
            test.rank == 0 ? "the destination section is not inside grid 0" : "rank 0 reports: ", [&] {
              wherry::mover(wrong, u, u);
            });
}
