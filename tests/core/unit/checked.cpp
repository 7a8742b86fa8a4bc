// Sizes that do not fit: every figure that is computed from users' numbers is right or an error, by 128-bit arithmetic.
#include "wherry/core/checked.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"
#include "wherry/geometry/box_list.hpp"
#include "wherry/halo/index_lists.hpp"
#include "wherry/halo/transfer.hpp"
#include "wherry/motion/decompose.hpp"
#include "wherry/motion/grid.hpp"
#include "wherry/motion/index_set.hpp"
#include "wherry/plan/schedule.hpp"

#include "halo/plan_halo.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

__extension__ using wide = __int128;
using answer = std::optional<wide>;  // none: it does not fit

constexpr index_t largest = std::numeric_limits<index_t>::max(), smallest = std::numeric_limits<index_t>::min();

answer fitting(wide value) {
  if (value < smallest || value > largest) return std::nullopt;
  return value;
}

// Any number of bits, so that products are near the limit as often as far from it.
index_t random_figure(random_numbers& random) {
  const int bits = random.between(0, 63);
  const auto value = static_cast<index_t>(bits == 0 ? 0 : random.next() >> (64 - bits));
  return random.chance(10) ? -value - 1 : value;
}
index_t random_size(random_numbers& random) {
  const index_t value = random_figure(random);
  return value < 0 ? -(value + 1) : value;
}

// What `compute` gives must be the answer; where there is none, an argument error.
template <class Compute> void check(const context& test, const std::string& title, answer expected, Compute compute) {
  std::string got;
  bool right = false;
  try {
    const wide result = compute();
    right = expected && result == *expected;
    got = "a number";
  } catch (const wherry::error& problem) {
    right = !expected && problem.kind() == wherry::error_kind::argument;
    got = problem.what();
  }
  if (fault(!right)) FAIL(title + ": " + got + " (seed " + std::to_string(test.seed) + ")");
}

std::string list_of(const std::vector<index_t>& figures) { return show(figures); }

// The product of sizes: none of them makes 0 of the others' overflow.
answer product_of(const std::vector<index_t>& sizes, wide first = 1) {
  for (const index_t size : sizes)
    if (size == 0) return 0;
  answer all = fitting(first);
  for (const index_t size : sizes)
    if (all) all = fitting(*all * size);
  return all;
}

constexpr int cases = 2000;

}  // namespace

WHERRY_UNIT_TEST(checked_arithmetic) {
  random_numbers random(test.seed);
  constexpr wherry::detail::checked size{"test", "number of things"};
  for (int i = 0; i < cases; ++i) {
    const index_t a = random_figure(random), b = random_figure(random);
    const auto title = list_of({a, b});
    check(test, "sum of " + title, fitting(wide{a} + b), [&] { return size.sum(a, b); });
    check(test, "difference of " + title, fitting(wide{a} - b), [&] { return size.difference(a, b); });
    check(test, "product of " + title, fitting(wide{a} * b), [&] { return size.product(a, b); });
    const bool in_int = a >= std::numeric_limits<int>::min() && a <= std::numeric_limits<int>::max();
    check(test, "int of " + title, in_int ? answer(a) : std::nullopt, [&] { return size.cast<int>(a); });
    check(test, "size_t of " + title, a >= 0 ? answer(a) : std::nullopt, [&] { return size.cast<std::size_t>(a); });
  }
  CHECK_THROWS_WITH(size.product(index_t{1} << 62, index_t{3}),
                    "the number of things does not fit: 4611686018427387904 × 3");
  CHECK_THROWS_WITH(size.cast<int>(std::size_t{1} << 31), "2147483648 beyond 2147483647");
}

WHERRY_UNIT_TEST(boxes_of_any_size) {
  random_numbers random(test.seed);
  for (int i = 0; i < cases; ++i) {
    wherry::box<3> b;
    std::vector<index_t> corners;
    std::vector<wide> extents;
    for (std::size_t d = 0; d < 3; ++d) {
      for (auto* corner : {&b.lower, &b.upper}) corners.push_back((*corner)[d] = random_figure(random));
      extents.push_back(std::max<wide>(0, wide{b.upper[d]} - b.lower[d]));
    }
    const auto title = "box " + list_of(corners);
    answer size = 1;
    bool empty = false;
    for (const wide e : extents) {
      empty = empty || e == 0;
      if (size) size = fitting(e);
      if (!size) break;
    }
    size = empty ? answer(0) : answer(1);
    for (const wide e : extents)
      if (size && *size != 0) size = fitting(e) ? fitting(*size * e) : std::nullopt;
    check(test, title + " size", size, [&] { return b.size(); });
    check(test, title + " extent", fitting(extents[0]), [&] { return b.extent(0); });

    const index_t by = random_figure(random);
    answer moved = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (const index_t corner : {b.lower[d], b.upper[d]})
        if (moved) moved = fitting(wide{corner} + by) ? moved : std::nullopt;
    check(test, title + " shifted by " + std::to_string(by), moved, [&] {
      const auto result = shift(b, wherry::filled<3>(by));
      return result.upper[2] - (b.upper[2] + by);
    });
    answer grown = 0;
    for (std::size_t d = 0; d < 3 && !b.empty(); ++d)
      if (grown) grown = fitting(wide{b.lower[d]} - by) && fitting(wide{b.upper[d]} + by) ? grown : std::nullopt;
    check(test, title + " grown by " + std::to_string(by), grown, [&] {
      grow(b, by);
      return 0;
    });
    answer refined = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (const index_t corner : {b.lower[d], b.upper[d]})
        if (refined) refined = fitting(wide{corner} * by) ? refined : std::nullopt;
    check(test, title + " refined by " + std::to_string(by), refined, [&] {
      refine(b, by);
      return 0;
    });
  }
  const auto half = index_t{1} << 62;
  CHECK_THROWS_WITH(wherry::size(wherry::box_list<1>{{{0}, {half}}, {{half}, {largest}}, {{-2}, {0}}}), "does not fit");
  CHECK_EQUAL(wherry::floor_divide(smallest, 2), smallest / 2);
  CHECK_EQUAL(wherry::floor_divide(-1, largest), -1);
}

WHERRY_UNIT_TEST(strides_and_blocks_of_any_size) {
  random_numbers random(test.seed);
  for (int i = 0; i < cases; ++i) {
    const index_t a = random_size(random), b = random_size(random), c = random_size(random);
    const auto title = list_of({a, b, c});
    const bool nothing = a == 0 || b == 0 || c == 0;
    if (!nothing) {
      check(test, "dense array of " + title, product_of({a, b, c}) ? answer(wide{a} * b) : std::nullopt,
            [&] { return wherry::dense_strides<3>({a, b, c}, wherry::fortran_layout<3>())[2]; });
      const std::int64_t extents[] = {b, c}, strides[] = {0, 0};
      check(test, "block of " + title, product_of({a, b, c}),
            [&] { return wherry::plans::strided_block(0, a, 0, extents, strides).bytes(); });
    }
    check(test, "indexed block of " + title, product_of({a, b}),
          [&] { return wherry::plans::indexed_block(0, a, 0, b).bytes(); });
    wherry::array_section part;
    part.dimensions = 2;
    part.extents = {a, b};
    part.element = std::max<index_t>(1, c);
    check(test, "section of " + title, product_of({a, b, part.element}), [&] { return part.bytes(); });
  }
  wherry::plans::schedule two_halves;
  const wherry::plans::block both[] = {wherry::plans::called_block(0, 0, largest - 100),
                                       wherry::plans::called_block(0, 0, 200)};
  const auto m = two_halves.make_message(1, wherry::detail::store, both);
  CHECK_THROWS_WITH(two_halves.bytes_of(m), "does not fit");
  two_halves.stages.resize(2);
  const wherry::plans::block half[] = {wherry::plans::called_block(0, 0, index_t{1} << 62)};
  for (auto& stage : two_halves.stages) stage.receives = {two_halves.make_message(1, wherry::detail::store, half)};
  CHECK_THROWS_WITH(two_halves.bytes_received(), "does not fit");
}

// Blocks that somebody made by hand, or that came from elsewhere.
WHERRY_UNIT_TEST(schedules_with_absurd_blocks_are_refused) {
  wherry::plans::schedule plan;
  plan.pattern = "test";
  plan.fields = {{"u", 8, 0, 8000, {}}};
  plan.stages.resize(1);
  plan.indices.add(std::vector<index_t>{0, 8});
  const auto refused = [&](const wherry::plans::block& b) {
    plan.stages[0].receives = {plan.make_message(1, wherry::detail::store, {&b, 1})};
    CHECK_THROWS(plan.validate(0, 2));
  };
  auto b = wherry::plans::indexed_block(0, 8, largest - 1, 5);
  refused(b);
  b = wherry::plans::indexed_block(0, 8, 0, largest);
  refused(b);
  b = wherry::plans::indexed_block(0, largest, 0, 2);
  refused(b);
  b = wherry::plans::called_block(0, 0, 8);
  b.kind = wherry::plans::block::form::strided;
  b.offset = 0;
  b.loops = 2;
  b.loop[0] = {largest, 8};
  b.loop[1] = {8, 8};
  refused(b);
  b.loops = 99;
  refused(b);
  b.loops = 1;
  b.loop[0] = {-1, 8};
  refused(b);
  b.loop[0] = {3, largest};
  refused(b);
}

WHERRY_UNIT_TEST(cuts_of_any_size) {
  CHECK_THROWS_WITH(wherry::detail::even_cuts(smallest, largest, 2), "does not fit");
  CHECK_THROWS_WITH(wherry::detail::even_cuts(0, 10, largest), "beyond 2147483647");
  CHECK_EQUAL(wherry::detail::even_cuts(0, largest, 2)[1], largest / 2 + 1);
  // More cells than an integer counts, cut among few ranks.
  const wherry::box<3> vast{{0, 0, 0}, wherry::filled<3>(index_t{1} << 40)};
  CHECK_EQUAL(wherry::decompose(vast, 6).size(), 6);
  CHECK_EQUAL(wherry::bisected_blocks(vast, 7).size(), 7);
  CHECK_EQUAL(wherry::balance(wherry::bisected_blocks(vast, 7), 3).size(), 7);
  CHECK_THROWS_WITH(wherry::decompose(vast, 6, {.largest = wherry::filled<3>(64)}), "does not fit");
  CHECK_THROWS_WITH(wherry::even_blocks(vast, wherry::filled<3>(65536)), "281474976710656 beyond 2147483647");
  CHECK_THROWS_WITH(wherry::even_blocks(wherry::box_of_extents<2>({100, 100}), {65536, 65536}), "beyond 2147483647");
  CHECK_THROWS_WITH(wherry::block_cyclic(vast, {1, 1, 1}, {1, 1, 1}), "beyond 2147483647");
  CHECK_EQUAL(wherry::block_cyclic(wherry::box<1>{{largest - 7}, {largest}}, {5}, {2}).size(), 2);
  const std::vector<index_t> axis(65536, 1);
  CHECK_THROWS_WITH(wherry::regular_floor_plan({axis, axis, axis, axis}, {true, true, true, true}),
                    "subdomains does not fit");
  CHECK_THROWS_WITH(wherry::regular_floor_plan({{largest, 1}}, {false}), "cells of an axis does not fit");
}

WHERRY_UNIT_TEST(sets_of_any_size) {
  using runs = std::vector<wherry::detail::index_run>;
  CHECK_THROWS_WITH(wherry::index_set(std::vector<index_t>{largest}), "member does not fit");
  CHECK_THROWS_WITH(wherry::index_set(runs{{largest - 3, 5}}), "does not fit");
  CHECK_THROWS_WITH(wherry::index_set(runs{{smallest, largest}, {0, largest}}), "number of members does not fit");
  CHECK_THROWS_WITH(wherry::index_set::range(smallest, largest), "does not fit");
  CHECK_THROWS_WITH(shift(wherry::index_set::range(0, 10), largest), "does not fit");
  CHECK_EQUAL(wherry::index_set::range(0, largest).size(), largest);
}

WHERRY_UNIT_TEST(halos_and_lists_of_any_size) {
  const auto fill = [](wherry::halo_descriptor h) {
    wherry::halo_field f;
    f.element = 8;
    f.dimensions = 1;
    f.halo[0] = h;
    f.stride[0] = 8;
    return f;
  };
  wherry::check_halo_field(fill({1, 1, 1, 10, 12}), 0);
  for (const auto& h : {wherry::halo_descriptor{largest, 1, 1, 10, 12},
                        {1, largest, 1, 10, 12},
                        {1, 1, smallest, 10, 12},
                        {1, 1, 1, largest, largest},
                        {1, 1, smallest, largest, 12}})
    CHECK_THROWS_WITH(wherry::check_halo_field(fill(h), 0), "is too large");

  wherry::detail::index_field f;
  f.element = 8;
  f.stride = index_t{1} << 61;
  f.count = 100;
  const wherry::index_lists lists{{{1, {3, 50}}}, {}};
  CHECK_THROWS_WITH(wherry::plan_indices(lists, std::vector{f}, false, false, {}, 0),
                    "place of an element in bytes does not fit");
}

WHERRY_UNIT_TEST(memory_that_is_not_to_be_had) {
  CHECK_THROWS_WITH((wherry::grid<double, 3>(wherry::box_of_extents<3>(wherry::filled<3>(index_t{1} << 20)))),
                    "bytes does not fit");
  CHECK_THROWS_WITH((wherry::grid<double, 3>(wherry::box_of_extents<3>(wherry::filled<3>(index_t{1} << 30)))),
                    "points does not fit");
  if (wherry_test::allocations_throw) try {
      wherry::grid<double, 2> u(wherry::box_of_extents<2>({index_t{1} << 29, index_t{1} << 30}));
      FAIL("2^62 bytes were to be had");
    } catch (const wherry::error& problem) {
      CHECK_EQUAL(problem.kind(), wherry::error_kind::resource);
      CHECK(std::string(problem.what()).find("4611686018427387904 bytes for its cells") != std::string::npos);
    }
  CHECK_THROWS_WITH((wherry::grid<double, 1>(wherry::box_of_extents<1>({4}), wherry::fortran_layout<1>(), -1)),
                    "'components' is -1");
  CHECK_THROWS_WITH(wherry::detail::allocating("test", "a list", 7, []() -> int { throw std::bad_alloc(); }),
                    "7 bytes for a list");
  CHECK_EQUAL(wherry::detail::allocating("test", "a list", 7, [] { return 3; }), 3);
}
