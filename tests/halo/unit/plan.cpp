// Plans for any number of ranks, in one process: what they cost, and that the ranks agree cell by cell.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "halo/plan_halo.hpp"
#include "halo/unfilled_rim.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

// A torus of n × n × n ranks, the last dimension fastest, each with so many cells.
wherry::regular_floor_plan torus(int n, index_t cells) {
  const std::vector<std::vector<index_t>> sizes(3, std::vector<index_t>(static_cast<std::size_t>(n), cells));
  wherry::regular_floor_plan cut(sizes, {true, true, true});
  cut.set_owners_by_stride({n * n, n, 1});
  return cut;
}

wherry::halo_field field(index_t cells, index_t width, index_t element) {
  wherry::halo_field f;
  f.name = "u";
  f.element = element;
  f.dimensions = 3;
  index_t stride = element;
  for (std::size_t a = 0; a < 3; ++a) {
    f.halo[a] = {width, width, width, width + cells - 1, cells + 2 * width};
    f.stride[a] = stride;
    stride *= cells + 2 * width;
  }
  return f;
}

constexpr index_t usual_cells = 5;

struct world {
  int n;
  index_t cells = usual_cells, width = 2;  // of a rank, and of the wider field's halo
  wherry::regular_floor_plan cut = torus(n, cells);
  wherry::halo_order order = wherry::halo_order::automatic;

  std::array<int, 3> place(int rank) const { return {rank / n / n, rank / n % n, rank % n}; }
  wherry::plans::schedule plan(int rank) const {
    wherry::halo_description d;
    const auto at = place(rank);
    d.subdomains = {cut.number({at[0], at[1], at[2], 0})};
    d.fields = {{field(cells, width, 8), field(cells, 1, 3)}};
    d.order = order;
    return plan_halo(d, {cut}, rank);
  }
  // The cells of the whole domain that a block visits, in wire order.
  std::vector<std::array<index_t, 4>> visited(int rank, const wherry::plans::block& b) const {
    const auto f = b.field == 0 ? field(cells, width, 8) : field(cells, 1, 3);
    const auto at = place(rank);
    std::vector<std::array<index_t, 4>> result;
    for_each_run(b, [&](std::int64_t from, std::int64_t bytes) {
      for (auto byte = from; byte < from + bytes; byte += f.element) {
        std::array<index_t, 4> global{0, 0, 0, b.field};
        for (std::size_t a = 0; a < 3; ++a) {
          const index_t index = byte / f.stride[a] % f.halo[a].length;
          const index_t place = at[a] * cells + index - f.halo[a].begin, all = n * cells;
          global[a] = (place % all + all) % all;
        }
        result.push_back(global);
      }
    });
    return result;
  }
};

const wherry::plans::message* find(const std::vector<wherry::plans::message>& list, int peer) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& m) { return m.peer == peer; });
  return found == list.end() ? nullptr : &*found;
}

// What `rank` sends is what its peers expect, block by block and cell by cell.
void agrees_with_its_peers(const world& all, int rank) {
  const auto mine = all.plan(rank);
  mine.validate(rank, all.n * all.n * all.n);
  mine.check_overlaps(rank);
  for (std::size_t s = 0; s < mine.stages.size(); ++s)
    for (const auto& sent : mine.stages[s].sends) {
      const auto theirs = all.plan(sent.peer);
      const auto* expected = find(theirs.stages[s].receives, rank);
      if (!CHECK(expected != nullptr) || !CHECK_EQUAL(expected->count, sent.count)) return;
      const auto leaving = mine.blocks_of(sent), arriving = theirs.blocks_of(*expected);
      for (std::size_t i = 0; i < leaving.size(); ++i) {
        CHECK_EQUAL(leaving[i].bytes(), arriving[i].bytes());
        if (fault(all.visited(rank, leaving[i]) != all.visited(sent.peer, arriving[i])))
          FAIL("rank " + std::to_string(rank) + " sends other cells than rank " + std::to_string(sent.peer) +
               " expects");
      }
      CHECK(find(theirs.stages[s].sends, rank) != nullptr);  // who receives from me sends to me
    }
}

std::size_t lookups_of(const world& all, int rank) {
  const auto before = wherry::regular_floor_plan::lookups();
  (void)all.plan(rank);
  return wherry::regular_floor_plan::lookups() - before;
}

}  // namespace

WHERRY_UNIT_TEST(a_million_ranks_agree) {
  world all{100};
  random_numbers random(test.seed);
  std::vector<int> sample{0, 999999, 99, 100, 10000, 989999};
  for (int i = 0; i < 10; ++i) sample.push_back(random.between(0, 999999));
  for (const auto order :
       {wherry::halo_order::direct, wherry::halo_order::by_dimension, wherry::halo_order::automatic}) {
    all.order = order;
    for (const int rank : sample) agrees_with_its_peers(all, rank);
  }
}

// Halos of three over ranks with two cells each come from two ranks on each side.
WHERRY_UNIT_TEST(a_million_ranks_agree_on_wide_halos) {
  world all{100, 2, 3};
  random_numbers random(test.seed);
  for (const auto order :
       {wherry::halo_order::direct, wherry::halo_order::by_dimension, wherry::halo_order::automatic}) {
    all.order = order;
    const bool by_dimension = order == wherry::halo_order::by_dimension;
    const auto plan = all.plan(random.between(0, 999999));
    CHECK_EQUAL(plan.stages.size(), by_dimension ? 3u : 1u);
    for (const auto& stage : plan.stages) CHECK_EQUAL(stage.sends.size(), by_dimension ? 4u : 124u);
    agrees_with_its_peers(all, by_dimension ? 0 : 999999);
  }
}

WHERRY_UNIT_TEST(few_ranks_agree_on_wide_halos) {
  for (const int n : {1, 2, 3})
    for (const index_t width : {2, 3, 8})
      for (const auto order :
           {wherry::halo_order::direct, wherry::halo_order::wrapped_last, wherry::halo_order::by_dimension}) {
        world all{n, 1, width};
        all.order = order;
        for (int rank = 0; rank < n * n * n; rank += n) agrees_with_its_peers(all, rank);
      }
}

WHERRY_UNIT_TEST(few_ranks_agree) {
  for (const int n : {1, 2, 3}) {
    world all{n};
    for (const auto order :
         {wherry::halo_order::direct, wherry::halo_order::wrapped_last, wherry::halo_order::by_dimension}) {
      all.order = order;
      for (int rank = 0; rank < n * n * n; ++rank) agrees_with_its_peers(all, rank);
    }
  }
}

// One rank's plan costs the same whether there are 8 ranks or a million.
WHERRY_UNIT_TEST(a_plan_costs_no_more_with_a_million_ranks) {
  const world few{2}, several{3}, many{100};
  std::set<std::size_t> counts;
  for (const int rank : {0, 13, 26}) counts.insert(lookups_of(several, rank));
  for (const int rank : {0, 555555, 999999, 4321}) counts.insert(lookups_of(many, rank));
  CHECK_EQUAL(counts.size(), 1);
  CHECK(*counts.begin() < 2000);
  for (const int rank : {0, 3, 7}) CHECK(lookups_of(few, rank) < *counts.begin());  // seven neighbours, not 26
  const auto a = few.plan(0), b = many.plan(123456);
  CHECK_EQUAL(a.bytes_received() + a.bytes_copied(), b.bytes_received() + b.bytes_copied());
  CHECK_EQUAL(b.stages.size(), 1);
  CHECK_EQUAL(b.stages[0].sends.size(), 26);  // one message a neighbour
  CHECK_EQUAL(a.stages[0].sends.size(), 7);   // one message a rank, in however many directions it lies
}

WHERRY_UNIT_TEST(a_plan_of_wide_halos_costs_no_more_with_a_million_ranks) {
  const world several{6, 2, 3}, many{100, 2, 3};
  std::set<std::size_t> counts;
  for (const int rank : {0, 13, 215}) counts.insert(lookups_of(several, rank));
  for (const int rank : {0, 555555, 999999}) counts.insert(lookups_of(many, rank));
  CHECK_EQUAL(counts.size(), 1);
}

// A line that ends, where one piece is empty: who sends what to whom.
WHERRY_UNIT_TEST(wide_halos_on_a_line_that_ends) {
  const wherry::regular_floor_plan line({{2, 0, 1, 3, 1}, {1}, {1}}, {false, false, false});
  const auto plan_of = [&](int rank) {
    wherry::halo_description d;
    d.subdomains = {rank};
    auto f = field(1, 0, 8);
    f.halo[0] = {3, 2, 3, 3 + line.size(0, rank) - 1, 5 + line.size(0, rank)};
    d.fields = {{f}};
    return plan_halo(d, {line}, rank);
  };
  const auto peers = [](const std::vector<wherry::plans::message>& list) {
    std::vector<int> result;
    for (const auto& m : list) result.push_back(m.peer);
    std::sort(result.begin(), result.end());
    return result;
  };
  using ranks = std::vector<int>;
  const std::vector<ranks> from{{2, 3}, {}, {0, 3}, {0, 2, 4}, {3}}, to{{2, 3}, {}, {0, 3}, {0, 2, 4}, {3}};
  const std::vector<std::int64_t> received{2, 0, 4, 4, 3};
  for (int rank = 0; rank < 5; ++rank) {
    const auto plan = plan_of(rank);
    const auto& stage = plan.stages.at(0);
    CHECK_EQUAL(peers(stage.receives), from[static_cast<std::size_t>(rank)]);
    CHECK_EQUAL(peers(stage.sends), to[static_cast<std::size_t>(rank)]);
    CHECK_EQUAL(plan.bytes_received(), 8 * received[static_cast<std::size_t>(rank)]);
  }
}

WHERRY_UNIT_TEST(by_dimension_sends_two_messages_a_dimension) {
  world all{4};
  all.order = wherry::halo_order::by_dimension;
  const auto plan = all.plan(21);
  CHECK_EQUAL(plan.stages.size(), 3);
  for (const auto& stage : plan.stages) CHECK_EQUAL(stage.sends.size(), 2);
}

// They touch the same cache lines: with three fields between them 64^3 cells took a third longer.
WHERRY_UNIT_TEST(both_faces_of_an_array_are_copied_one_after_the_other) {
  const auto alone = torus(1, usual_cells);
  wherry::halo_description d;
  d.subdomains = {0};
  d.fields = {{field(usual_cells, 2, 8), field(usual_cells, 2, 8), field(usual_cells, 2, 8)}};
  d.order = wherry::halo_order::by_dimension;
  const auto plan = plan_halo(d, {alone}, 0);
  CHECK_EQUAL(plan.stages.size(), 3u);
  for (const auto& stage : plan.stages) {
    std::vector<int> fields;
    for (const auto& list : stage.copies)
      for (const auto& copy : plan.rows_of(list)) fields.push_back(copy.from.field);
    CHECK(fields == (std::vector<int>{0, 0, 1, 1, 2, 2}));
  }
}

WHERRY_UNIT_TEST(wrong_plans) {
  world all{2};
  wherry::halo_description d;
  d.subdomains = {0};
  d.fields = {{field(usual_cells - 1, 1, 8)}};
  CHECK_THROWS_WITH(plan_halo(d, {all.cut}, 0), "core of 4 cells, but the floor plan gives it 5");
  auto cut = all.cut;
  cut.set_owners_by_stride({1, 1, 1});  // three for rank 1
  d.subdomains = {1};
  d.fields = {{field(usual_cells, 1, 8)}};
  CHECK_THROWS_WITH(plan_halo(d, {cut}, 1), "belongs to this rank but was not given to it");
}

WHERRY_UNIT_TEST(stencil_shapes) {
  using wherry::stencil_shape;
  CHECK(stencil_shape::all().contains({1, -1, 1, 0}));
  CHECK(stencil_shape::faces().contains({0, -1, 0, 0}));
  CHECK(!stencil_shape::faces().contains({1, -1, 0, 0}));
  const auto listed = stencil_shape::only({{1, 0, 0, 0}, {1, 1, 0, 0}});
  CHECK(listed.contains({1, 1, 0, 0}) && !listed.contains({-1, 0, 0, 0}) && !listed.is_all());
}

WHERRY_UNIT_TEST(what_nobody_fills_is_said) {
  const auto said = [](index_t minus, index_t plus) { return wherry::unfilled_rims({{2, 1, 3, minus, plus}}); };
  CHECK(said(0, 0).empty());
  CHECK(said(1, 2).empty());  // on both sides: boundary conditions
  CHECK(said(0, 1).find("field 2: dimension 1 has a plus halo only, and ends: nobody fills the one of the last rank") !=
        std::string::npos);
  CHECK(said(2, 0).find("a minus halo only, and ends: nobody fills the one of the first rank") != std::string::npos);
}
