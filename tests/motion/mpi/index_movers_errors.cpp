// Wrong motions between index domains: the right kind of error on all ranks alike, before anything is sent.
#include <array>
#include <functional>

#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using wherry::error_kind;
using wherry::index_set;
using wherry::index_t;
using namespace wherry_test;

namespace {

using array = wherry::index_array<double>;

// Two parts a rank, each with its own ten nodes, every second number, and the next part's first one.
wherry::index_floor_plan<> row(const context& test) {
  wherry::index_floor_plan<> plan;
  for (int i = 0; i < 2 * test.size; ++i) {
    std::vector<index_t> nodes;
    for (int k = 0; k <= 10; ++k) nodes.push_back(2 * (10 * i + k));
    plan.add(index_set(nodes), i / 2);
  }
  return plan;
}

wherry::index_motion_plan<> first_nodes(const context& test) {
  wherry::index_motion_plan<> plan;
  for (int i = 0; i + 1 < 2 * test.size; ++i) plan.copy(i + 1, i, {20 * (i + 1)});
  return plan;
}

void check_usable(const context& test, const wherry::communicator& comm) {
  array u(comm, row(test));
  for (const auto& [number, nodes, values] : u.parts()) std::ranges::fill(values.all(), number);
  wherry::mover move(first_nodes(test), u, u);
  move();
  for (const auto& [number, nodes, values] : u.parts())
    CHECK_EQUAL(values(10), number + 1 < 2 * test.size ? number + 1 : number);
}

// The entry is one of the last rank's; the others must hear of it. Then the same plan on all ranks.
void wrong_entry(const context& test, const std::string& title, const std::string& words,
                 const wherry::index_motion<>& e) {
  const wherry::communicator comm(test.comm);
  array u(comm, row(test)), v(comm, row(test));
  const int culprit = test.size - 1;
  auto wrong = first_nodes(test);
  wrong.copy(e.from, e.source, e.to, e.destination);
  all_throw(test, title + ", from one rank", error_kind::argument,
            test.rank == culprit ? words : "rank " + std::to_string(culprit) + " reports: ", [&] {
              wherry::mover(test.rank == culprit ? wrong : first_nodes(test), u, v);
            });
  all_throw(test, title, error_kind::argument, "", [&] { wherry::mover(wrong, u, v); });
  check_usable(test, comm);
}

// Says that its points stand where they do not.
struct liar {
  index_t points = 0, shift = 0, missing = 0;
  index_t size() const { return points; }
  std::vector<wherry::box<1>> cover() const { return {{{0}, {points}}}; }
  template <class Visit> void for_each_place(const liar& section, Visit&& visit) const {
    visit(shift, section.points - missing);
  }
};
liar intersection(const liar& a, const liar& b) { return {std::min(a.points, b.points), 0, 0}; }

}  // namespace

WHERRY_TEST(wrong_index_entries, ranks(1, 2, 3, 4)) {
  const int last = 2 * test.size - 1, before = last - 1;  // both on the last rank
  const std::string number = std::to_string(last), total = std::to_string(last + 1);
  const index_set here{20 * last, 20 * last + 2}, there{20 * before, 20 * before + 2};
  wrong_entry(test, "source number", "part " + total + " of " + total, {last + 1, last, here, here});
  wrong_entry(test, "destination number", "part " + total + " of " + total, {last, last + 1, here, here});
  wrong_entry(test, "negative number", "part -1 of " + total, {-1, last, here, here});
  wrong_entry(test, "sizes", "the source section has 2 points, and the destination section has 1",
              {before, last, there, {20 * last}});
  wrong_entry(test, "source outside", "the source section is not inside part " + std::to_string(before),
              {before, last, here, here});
  wrong_entry(test, "destination outside", "the destination section is not inside part " + number,
              {before, last, there, there});
  wrong_entry(test, "between two nodes", "the destination section is not inside part " + number,
              {before, last, there, {20 * last, 20 * last + 1}});
  wrong_entry(test, "names the entry", "entry part " + std::to_string(before) + " → part " + number,
              {before, last, here, here});
}

WHERRY_TEST(wrong_index_arrays, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  const auto plan = row(test);
  const auto argument = error_kind::argument;
  auto beyond = plan;
  beyond.add({1}, test.size);
  all_throw(test, "owner", argument, "has owner " + std::to_string(test.size) + " of a communicator of",
            [&] { array(comm, beyond); });
  all_throw(test, "components", argument, "'components' is 0, expected 1",
            [&] { array(comm, plan, {.components = 0}); });
  std::vector<double> memory(22);
  const std::vector<std::span<double>> one{{memory.data(), 11}}, two{{memory.data(), 11}, {memory.data() + 11, 10}};
  all_throw(test, "parts", argument, "1 lists of values were given, but the rank owns 2 parts",
            [&] { array(comm, plan, one); });
  all_throw(test, "values", argument, "was given 10 values, expected 11", [&] { array(comm, plan, two); });

  array u(comm, plan), pairs(comm, plan, {.components = 2});
  all_throw(test, "components differ", argument, "the source has 1 components, and the destination has 2",
            [&] { wherry::mover(first_nodes(test), u, pairs); });
  all_throw(test, "update", argument, "elements of 24 bytes", [&] {
    wherry::mover(first_nodes(test), u, u,
                  {.update = wherry::make_reduction<std::array<double, 3>>("add", [](auto x, auto) { return x; })});
  });
  all_throw(test, "packets", argument, "'packet_bytes' is -1",
            [&] { wherry::mover(first_nodes(test), u, u, {.carry = {.packet_bytes = -1}}); });
  all_throw(test, "foreign part", argument, "is not on this rank", [&] { u[test.rank == 0 ? 2 * test.size : 0]; });
  wherry::mover move(first_nodes(test), u, u);
  all_throw(test, "start with others", argument, "arrays of other shapes", [&] { move.start(pairs, pairs); });
  // As many nodes, but others.
  wherry::index_floor_plan<> shifted;
  for (int i = 0; i < plan.size(); ++i) shifted.add(shift(plan[i], 1), plan.owner(i));
  array w(comm, shifted);
  all_throw(test, "start on other nodes", argument, "arrays of other shapes", [&] { move.start(w, w); });
  if (test.size > 1) {
    array other(comm, plan, {.components = test.rank == 0 ? 1 : 2});
    all_throw(test, "components on one rank", error_kind::mismatch,
              "disagree on the number of components of the source",
              [&] { wherry::mover(first_nodes(test), other, other); });
    // Rank 0 expects another node than rank 1 sends.
    auto more = first_nodes(test);
    more.copy(2, 1, index_set{});
    wherry::mover nothing(more, u, u);  // an empty entry is none
    auto two_nodes = first_nodes(test);
    if (test.rank == 0) two_nodes.copy(2, {40}, 1, {22});
    all_throw(test, "entry on one rank", error_kind::mismatch, "rank 1 sends 8 bytes to rank 0, which expects ",
              [&] { wherry::mover(two_nodes, u, u); });
  }
  check_usable(test, comm);
}

WHERRY_TEST(domains_that_are_wrong, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const auto bind = [&](const liar& part) {
    wherry::index_floor_plan<liar> plan;
    for (int i = 0; i < 2; ++i) plan.add(part, i % test.size);
    wherry::index_array<int, liar> u(comm, plan), v(comm, plan);
    wherry::index_motion_plan<liar> entries;
    entries.copy(0, 1, {5, 0, 0});
    wherry::mover(entries, u, v);
  };
  bind({8, 3, 0});
  all_throw(test, "places beyond", error_kind::argument, "points stand at places 4 to 9 of 8",
            [&] { bind({8, 4, 0}); });
  all_throw(test, "places below", error_kind::argument, "points stand at places -1 to 4 of 8",
            [&] { bind({8, -1, 0}); });
  all_throw(test, "too few", error_kind::argument, "gives places for 3 of 5 points", [&] { bind({8, 0, 2}); });
}

WHERRY_TEST(parts_that_are_not_known, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const auto whole = row(test);
  const auto mine = whole.owned_by(test.rank);
  const wherry::index_floor_plan<> own(whole.size(), mine, {whole[mine[0]], whole[mine[1]]}, {test.rank, test.rank});
  array u(comm, own);
  wherry::index_motion_plan<> entries;
  for (const auto& e : first_nodes(test))
    if (whole.owner(e.from) == test.rank || whole.owner(e.to) == test.rank) entries.copy(e.from, e.to, e.source);
  all_throw(test, "unresolved", error_kind::argument, "is not known to this rank",
            [&] { wherry::mover(entries, u, u); });
  const auto known = resolve(comm, own);
  array v(comm, known);
  wherry::mover move(entries, v, v);
  move();
  if (test.size > 1)
    all_throw(test, "plans differ", error_kind::mismatch, "disagree on the numbers of parts",
              [&] { resolve(comm, test.rank == 0 ? whole : wherry::index_floor_plan<>{}); });
}
