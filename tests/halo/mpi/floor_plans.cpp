// Halos of fields on floor plans that are no grids: irregular boxes, several a rank, distributed plans; and how a grid
// cuts a box.
#include <functional>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::index_t;
using wherry::point;

namespace {

double value(const point<2>& p) { return static_cast<double>(100 * p[0] + p[1]); }

// A field a box of this rank, each core cell with its place in the domain.
struct fields_on_boxes {
  const wherry::floor_plan<2>& plan;
  std::vector<int> mine;
  std::vector<wherry::field<double, 2>> fields;

  fields_on_boxes(const wherry::communicator& comm, const wherry::floor_plan<2>& floor, index_t width)
      : plan(floor), mine(floor.owned_by(comm.rank())) {
    for (const int number : mine) {
      auto& u = fields.emplace_back(comm, plan[number].extents(), width);
      for_each_point(u.whole(), [&](const point<2>& p) { u[p] = -1; });
      for_each_point(u.core(), [&](const point<2>& p) { u[p] = value(global(number, p)); });
    }
  }
  point<2> global(int number, const point<2>& p) const {
    return {p[0] + plan[number].lower[0], p[1] + plan[number].lower[1]};
  }
  std::vector<std::vector<wherry::halo_field>> described() {
    std::vector<std::vector<wherry::halo_field>> result;
    for (auto& u : fields) result.push_back({halo_of(u)});
    return result;
  }
  void check(const wherry::domain<2>& space, const wherry::stencil_shape& stencil) {
    for (std::size_t i = 0; i < mine.size(); ++i)
      for_each_point(fields[i].whole(), [&](const point<2>& p) {
        wherry::cell_direction way{};
        for (std::size_t d = 0; d < 2; ++d) way[d] = p[d] < 0 ? -1 : p[d] >= fields[i].core().upper[d] ? 1 : 0;
        const auto cell = space.wrapped(global(mine[i], p));
        const bool filled = space.cells.contains(cell) && (way == wherry::cell_direction{} || stencil.contains(way));
        CHECK_EQUAL(fields[i][p], filled ? value(cell) : -1);
      });
  }
};

}  // namespace

WHERRY_TEST(halos_on_any_floor_plan, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const wherry::domain<2> space{{{0, 0}, {13, 11}}, {true, false}};
  const auto boxes = wherry::bisected_blocks<2>(space.cells, 7);
  const auto plan = balance(boxes, test.size, {.method = wherry::assignment::round_robin});
  const auto width = 3;  // wider than some boxes
  for (const auto& stencil : {wherry::stencil_shape::all(), wherry::stencil_shape::faces(),
                              wherry::stencil_shape::only({{1, -1}, {-1, 0}})}) {
    fields_on_boxes u(comm, plan, width);
    wherry::halo_exchange(comm, plan, space, {.stencil = stencil}, u.described())();
    u.check(space, stencil);
  }
  std::vector<wherry::box<2>> mine;
  for (const int number : plan.owned_by(test.rank)) mine.push_back(plan[number]);
  const auto part = wherry::distributed_floor_plan<2>(comm, mine, width, space);
  fields_on_boxes u(comm, part, width);
  wherry::halo_exchange(comm, part, space, {}, u.described())();
  u.check(space, {});
  const auto in_stages = [&] {
    wherry::halo_exchange(comm, part, space, {.order = wherry::halo_order::by_dimension}, u.described());
  };
  CHECK_THROWS_WITH(in_stages(), "the boxes do not stand in rows and columns");
}

// Each box spans the second dimension, which is periodic, so a halo that is stored is filled in two stages. One that is
// updated is filled in one: also on the last rank, which has no box, and so no field that the update could work on.
WHERRY_TEST(an_update_where_a_rank_has_no_box, ranks(2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const auto space = wherry::domain<2>::torus({{0, 0}, {8, 6}});
  const std::vector<wherry::box<2>> boxes{{{0, 0}, {2, 6}}, {{2, 0}, {4, 6}}, {{4, 0}, {6, 6}}, {{6, 0}, {8, 6}}};
  std::vector<int> owners;
  for (int b = 0; b < 4; ++b) owners.push_back(b % (test.size - 1));
  const wherry::floor_plan<2> plan(boxes, owners);
  for (const auto& transport : usable_transports(test.comm)) {
    log(transport);
    fields_on_boxes u(comm, plan, 1);
    wherry::halo_exchange add(comm, plan, space, {.update = std::plus<>{}, .carry = {.transport = transport}},
                              u.described());
    CHECK_EQUAL(add.schedule().stages.size(), 1U);
    add();
    for (std::size_t i = 0; i < u.mine.size(); ++i)
      for_each_point(u.fields[i].whole(), [&](const point<2>& p) {
        const auto sent = value(space.wrapped(u.global(u.mine[i], p)));
        CHECK_EQUAL(u.fields[i][p], u.fields[i].core().contains(p) ? sent : sent - 1);
      });
  }
}

WHERRY_TEST(a_box_cut_over_a_grid, ranks(1, 2, 3, 4, 6, 8)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, false}});
  for (int n = 0; n < 50; ++n) {
    random_numbers random(hash(test.seed, n));
    const point<3> cells{random.between(0, 20), random.between(0, 20), random.between(0, 5)};
    const std::vector<int> axes = random.chance(50) ? std::vector<int>{} : std::vector{1, -1, 0};
    const auto mine = wherry::owned_box<3>(grid, cells, axes);
    const auto at = grid.coordinates(test.rank);
    for (std::size_t d = 0; d < 3; ++d) {
      const int axis = axes.empty() ? (d < 2 ? static_cast<int>(d) : -1) : axes[d];
      const auto place = static_cast<std::size_t>(axis);
      const auto cuts = wherry::detail::even_cuts(0, cells[d], axis < 0 ? 1 : grid.extents()[place]);
      const auto piece = axis < 0 ? 0 : static_cast<std::size_t>(at[place]);
      CHECK_EQUAL(mine.lower[d], cuts[piece]);
      CHECK_EQUAL(mine.upper[d], cuts[piece + 1]);
    }
  }
  CHECK_THROWS_WITH(wherry::owned_box(grid, {4, -4}), "dimension 1 has -4 cells");
}
