// The owner of a point, against a search through all boxes.
#include <vector>

#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/floor_plan.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

// The boxes of all ranks, by the function for one's own.
std::vector<wherry::box<2>> all_boxes(const context& test, const wherry::process_grid& grid,
                                      const wherry::point<2>& cells) {
  const auto mine = wherry::owned_box<2>(grid, cells);
  std::vector<wherry::box<2>> all(static_cast<std::size_t>(test.size));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, test.comm);
  return all;
}

}  // namespace

WHERRY_TEST(a_grid_knows_the_owner_of_a_cell, ranks(1, 2, 3, 4, 8)) {
  using enum wherry::rank_order;
  for (const auto order : {rows, columns, node_bricks})
    for (const wherry::point<2> cells : {wherry::point<2>{7, 5}, {1, 3}, {16, 16}, {3, 0}}) {
      const wherry::process_grid grid(test.comm, {.periodic = {true, false}, .order = order});
      const auto boxes = all_boxes(test, grid, cells);
      for (wherry::index_t x = -9; x < 2 * cells[0] + 3; ++x)
        for (wherry::index_t y = -2; y < cells[1] + 3; ++y) {
          const wherry::point<2> inside{((x % cells[0]) + cells[0]) % cells[0], y};
          int expected = -1;
          for (std::size_t r = 0; r < boxes.size(); ++r)
            if (boxes[r].contains(inside)) expected = static_cast<int>(r);
          CHECK_EQUAL(grid.owner_of({x, y}, cells), expected);
          const auto found = grid.box_of({x, y}, cells);
          CHECK(expected < 0 ? found.empty() : found == boxes[static_cast<std::size_t>(expected)]);
        }
    }
}

WHERRY_TEST(a_grid_refuses_cells_with_too_few_dimensions, ranks(2, 3)) {
  const wherry::process_grid grid(test.comm, {.extents = {1, test.size}});
  CHECK_THROWS_WITH(grid.owner_of(wherry::point<1>{0}, wherry::point<1>{5}), "the cells have 1 dimensions");
}

WHERRY_TEST(a_floor_plan_knows_the_owner_of_a_point, ranks(1)) {
  const wherry::floor_plan<2> plan({{{0, 0}, {4, 4}}, {{4, 0}, {8, 4}}, {{2, 2}, {9, 9}}}, {5, 6, 7});
  CHECK_EQUAL(plan.box_of(wherry::point<2>{0, 0}), 0);
  CHECK_EQUAL(plan.owner_of(wherry::point<2>{3, 3}), 5);  // the first of two boxes that contain it
  CHECK_EQUAL(plan.owner_of(wherry::point<2>{4, 0}), 6);
  CHECK_EQUAL(plan.owner_of(wherry::point<2>{8, 8}), 7);
  CHECK_EQUAL(plan.owner_of(wherry::point<2>{9, 9}), -1);
  CHECK_EQUAL(plan.box_of(wherry::point<2>{-1, 0}), -1);
  const wherry::floor_plan<2> partial(10, {3, 7}, {{{0, 0}, {2, 2}}, {{2, 0}, {4, 2}}}, {1, 2});
  CHECK_EQUAL(partial.box_of(wherry::point<2>{2, 1}), 7);
  CHECK_EQUAL(partial.owner_of(wherry::point<2>{2, 1}), 2);
  CHECK_EQUAL(partial.owner_of(wherry::point<2>{5, 1}), -1);
}
