// Floor plans by the C interface.
#include <cstdint>
#include <numeric>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;

std::vector<wherry_box> boxes_of(wherry_floor_plan plan, std::vector<int>* owners = nullptr) {
  int size = 0;
  succeeds(wherry_floor_plan_size(plan, &size, nullptr, nullptr));
  std::vector<wherry_box> result(static_cast<std::size_t>(size));
  if (owners != nullptr) owners->resize(result.size());
  for (int i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    succeeds(wherry_floor_plan_box(plan, i, &result[at], owners == nullptr ? nullptr : &(*owners)[at]));
  }
  return result;
}

/// Each point of `whole` is in one box, and no other point is in any.
void check_tiles(wherry_floor_plan plan, const wherry_box& whole, int ranks, const std::string& title) {
  std::vector<int> owners;
  const auto boxes = boxes_of(plan, &owners);
  std::int64_t size = 0, all = 0;
  for (const auto& one : boxes) {
    int inside = 0;
    succeeds(wherry_box_contains(whole, one, &inside));
    CHECK_EQUAL(inside, 1);
    succeeds(wherry_box_size(one, &size));
    all += size;
  }
  succeeds(wherry_box_size(whole, &size));
  if (fault(all != size)) FAIL(title + ": the boxes have " + std::to_string(all) + " cells");
  for_points(whole, [&](const coordinates& p) {
    int number = -2, owner = -2;
    succeeds(wherry_floor_plan_find(plan, p.data(), &number, &owner));
    if (fault(number < 0)) {
      FAIL(title + ": a cell is in no box");
      return;
    }
    if (!is_inside(boxes[static_cast<std::size_t>(number)], p)) FAIL(title + ": a cell is not in its box");
    if (owner != owners[static_cast<std::size_t>(number)] || owner < 0 || owner >= ranks) FAIL(title + ": owner");
  });
}

}  // namespace

WHERRY_TEST(plans_are_cut_and_balanced, ranks(1)) {
  std::mt19937_64 random(test.seed);
  constexpr int cases = 60;
  for (int number = 0; number < cases; ++number) {
    const int n = draw(random, 1, 4), ranks = draw(random, 1, 7);
    const auto whole = random_box(random, n, 1, 6);
    const auto title = "case " + std::to_string(number);
    held_plan plan, tiles;
    succeeds(wherry_floor_plan_decompose(whole, ranks, nullptr, plan.out()), title);
    check_tiles(plan, whole, ranks, title);
    wherry_decompose_options options = WHERRY_INIT(wherry_decompose_options);
    for (int d = 0; d < n; ++d) options.largest[d] = draw(random, 1, 4);
    options.method = draw(random, 0, 4);
    succeeds(wherry_floor_plan_decompose(whole, ranks, &options, tiles.out()), title);
    check_tiles(tiles, whole, ranks, title);
    for (const auto& one : boxes_of(tiles))
      for (int d = 0; d < n; ++d) CHECK(one.upper[d] - one.lower[d] <= options.largest[d]);
    succeeds(wherry_floor_plan_bisected_blocks(whole, ranks, plan.out()), title);
    check_tiles(plan, whole, ranks, title);
    std::int64_t pieces[6], process_grid[6], block[6];
    int places = 1;
    for (int d = 0; d < n; ++d)
      pieces[d] = process_grid[d] = draw(random, 1, 2), block[d] = draw(random, 1, 3),
      places *= static_cast<int>(pieces[d]);
    succeeds(wherry_floor_plan_even_blocks(whole, pieces, 0, nullptr, plan.out()), title);
    check_tiles(plan, whole, places, title);
    std::vector<int> owners(static_cast<std::size_t>(places)), listed(owners.size());
    succeeds(wherry_owners_row_major(n, process_grid, owners.data()));
    succeeds(wherry_floor_plan_even_blocks(whole, pieces, places, owners.data(), plan.out()), title);
    boxes_of(plan, &listed);
    CHECK(listed == owners);
    succeeds(wherry_floor_plan_block_cyclic(whole, block, process_grid, places, owners.data(), plan.out()), title);
    check_tiles(plan, whole, places, title);
    // Balanced by weights: the loads are the sums.
    int size = 0;
    succeeds(wherry_floor_plan_size(tiles, &size, nullptr, nullptr));
    std::vector<double> weights(static_cast<std::size_t>(size)), loads(static_cast<std::size_t>(ranks)), sums(loads);
    for (auto& one : weights) one = draw(random, 0, 9);
    wherry_balance_options by = WHERRY_INIT(wherry_balance_options);
    by.method = draw(random, 0, 4);
    by.weights = weights.data();
    by.weight_count = size;
    held_plan balanced;
    succeeds(wherry_floor_plan_balance(tiles, ranks, &by, balanced.out()), title);
    check_tiles(balanced, whole, ranks, title);
    double imbalance = 0;
    succeeds(wherry_floor_plan_loads(balanced, ranks, size, weights.data(), loads.data(), &imbalance), title);
    boxes_of(balanced, &listed);
    for (std::size_t i = 0; i < weights.size(); ++i) sums[static_cast<std::size_t>(listed[i])] += weights[i];
    CHECK(loads == sums);
    CHECK(imbalance >= 1);
    std::vector<int> heaviest(weights.size());
    succeeds(wherry_owners_heaviest_first(size, weights.data(), ranks, heaviest.data()));
    if (by.method == WHERRY_ASSIGN_HEAVIEST_FIRST) CHECK(heaviest == listed);
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(plans_answer_questions, ranks(1)) {
  const wherry_box boxes[] = {{2, {0, 0}, {4, 4}}, {2, {4, 0}, {8, 4}}, {2, {2, 2}, {6, 6}}};
  const int owners[] = {1, 0, 1};
  held_plan plan, other, partial;
  succeeds(wherry_floor_plan_create(2, 3, boxes, owners, plan.out()));
  int size = 0, known = 0, complete = 0, dimensions = 0, numbers[3] = {-1, -1, -1}, count = 0, place = 0, answer = 0;
  succeeds(wherry_floor_plan_size(plan, &size, &known, &complete));
  CHECK_EQUAL(std::vector<int>({size, known, complete}), std::vector<int>({3, 3, 1}));
  succeeds(wherry_floor_plan_dimensions(plan, &dimensions));
  CHECK_EQUAL(dimensions, 2);
  succeeds(wherry_floor_plan_owned_by(plan, 1, 1, numbers, &count));  // room for one of two
  CHECK_EQUAL(std::vector<int>({count, numbers[0], numbers[1]}), std::vector<int>({2, 0, -1}));
  wherry_box around{};
  succeeds(wherry_floor_plan_bounding_box(plan, &around));
  CHECK_EQUAL(around.upper[1], 6);
  const char* text = nullptr;
  succeeds(wherry_floor_plan_explain(plan, 0, &text));
  CHECK(std::string(text).find("rank") != std::string::npos);
  succeeds(wherry_floor_plan_to_json(plan, &text));
  CHECK(std::string(text).find("\"floor_plan\"") != std::string::npos);
  std::uint64_t a = 0, b = 0;
  succeeds(wherry_floor_plan_create(2, 2, boxes, owners, other.out()));
  succeeds(wherry_floor_plan_fingerprint(plan, &a));
  succeeds(wherry_floor_plan_fingerprint(other, &b));
  CHECK(a != b);
  succeeds(wherry_floor_plan_equals(plan, other, &answer));
  CHECK_EQUAL(answer, 0);
  succeeds(wherry_floor_plan_add(other, boxes[2], 1));
  succeeds(wherry_floor_plan_equals(plan, other, &answer));
  CHECK_EQUAL(answer, 1);
  // Parts of boxes.
  wherry_box_part parts[9];
  succeeds(wherry_without_overlap(plan, 1, 9, parts, &count));
  std::int64_t cells = 0, more = 0;
  for (int i = 0; i < count; ++i) succeeds(wherry_box_size(parts[i].cells, &more)), cells += more;
  CHECK_EQUAL(cells, 16 + 16 - 4 - 4);
  const int planes[2] = {1, 1};
  held_plan values;
  succeeds(wherry_floor_plan_create(2, 2, boxes, owners, other.out()));
  cells = 0;
  for (const int rank : {0, 1}) {
    succeeds(wherry_owned_values(other, planes, nullptr, rank, 9, parts, &count));
    for (int i = 0; i < count; ++i) succeeds(wherry_box_size(parts[i].cells, &more)), cells += more;
  }
  CHECK_EQUAL(cells, 9 * 5);
  succeeds(wherry_floor_plan_values(other, planes, values.out()));
  CHECK_EQUAL(boxes_of(values)[0].upper[0], 5);
  const auto space = wherry_open_domain(wherry_box{2, {0, 0}, {8, 6}});
  const auto one = wherry_same_widths(1);
  succeeds(wherry_uncovered_ghosts(other, &one, &space, 1, 9, parts, &count));
  cells = 0;
  for (int i = 0; i < count; ++i) succeeds(wherry_box_size(parts[i].cells, &more)), cells += more;
  CHECK_EQUAL(cells, 5);  // above box 0; the ghost cells on its right are box 1's but for the corner
  // Partial plans.
  const int known_numbers[] = {0, 2};
  const wherry_box known_boxes[] = {boxes[0], boxes[2]};
  const int known_owners[] = {1, 1};
  succeeds(wherry_floor_plan_create_partial(2, 5, 2, known_numbers, known_boxes, known_owners, partial.out()));
  succeeds(wherry_floor_plan_size(partial, &size, &known, &complete));
  CHECK_EQUAL(std::vector<int>({size, known, complete}), std::vector<int>({5, 2, 0}));
  succeeds(wherry_floor_plan_place_of(partial, 2, &place));
  CHECK_EQUAL(place, 1);
  succeeds(wherry_floor_plan_place_of(partial, 1, &place));
  CHECK_EQUAL(place, -1);
  succeeds(wherry_floor_plan_number_of(partial, 1, &place));
  CHECK_EQUAL(place, 2);
  fails("unknown", wherry_floor_plan_box(partial, 1, &around, nullptr), WHERRY_ERROR_ARGUMENT, "is not known");
  // Changed plans.
  const std::int64_t ratio[2] = {2, 2};
  succeeds(wherry_floor_plan_coarsened(plan, ratio, 1, other.out()));
  CHECK_EQUAL(boxes_of(other)[1].upper[0], 5);
  std::int64_t by = 7;
  succeeds(wherry_floor_plan_transformed(
      plan,
      [](wherry_box* box, void* context) {
        box->lower[0] += *static_cast<std::int64_t*>(context);
        box->upper[0] += *static_cast<std::int64_t*>(context);
        return 0;
      },
      &by, other.out()));
  CHECK_EQUAL(boxes_of(other)[0].lower[0], 7);
  const std::int64_t cuts_x[] = {0, 3, 8}, cuts_y[] = {0, 5};
  const std::int64_t* const cuts[] = {cuts_x, cuts_y};
  const int cut_counts[] = {3, 2};
  succeeds(wherry_floor_plan_cut_blocks(2, cut_counts, cuts, 0, nullptr, other.out()));
  CHECK_EQUAL(boxes_of(other)[1].lower[0], 3);
  int dealt[5];
  succeeds(wherry_owners_round_robin(5, 2, dealt));
  CHECK_EQUAL(dealt[4], 0);

  held_plan none;
  fails("owner", wherry_floor_plan_add(plan, boxes[0], -1), WHERRY_ERROR_ARGUMENT, "has owner -1");
  fails("added to a part", wherry_floor_plan_add(partial, boxes[0], 0), WHERRY_ERROR_ARGUMENT, "partial");
  fails("dimensions", wherry_floor_plan_create(7, 3, boxes, owners, none.out()), WHERRY_ERROR_ARGUMENT,
        "'dimensions' is 7, expected 1 to 6");
  fails("dimensions of a box", wherry_floor_plan_create(3, 3, boxes, owners, none.out()), WHERRY_ERROR_ARGUMENT,
        "box 0 of 'boxes' has 2 dimensions, expected 3");
  fails("no owners", wherry_floor_plan_create(2, 3, boxes, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'owners' is NULL");
  fails("no result", wherry_floor_plan_create(2, 3, boxes, owners, nullptr), WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  fails("no plan", wherry_floor_plan_add(nullptr, boxes[0], 0), WHERRY_ERROR_ARGUMENT, "'plan' is NULL");
  fails("number", wherry_floor_plan_box(plan, 3, nullptr, nullptr), WHERRY_ERROR_ARGUMENT, "box 3 of 3");
  fails("place", wherry_floor_plan_number_of(plan, 3, &place), WHERRY_ERROR_ARGUMENT, "'place' is 3");
  fails("a function", wherry_floor_plan_transformed(plan, nullptr, nullptr, none.out()), WHERRY_ERROR_ARGUMENT,
        "'change' is NULL");
  fails("its failure",
        wherry_floor_plan_transformed(
            plan, [](wherry_box*, void*) { return 4; }, nullptr, none.out()),
        WHERRY_ERROR_RESOURCE, "'change' returned 4");
  wherry_balance_options options = WHERRY_INIT(wherry_balance_options);
  options.method = 9;
  fails("method", wherry_floor_plan_balance(plan, 2, &options, none.out()), WHERRY_ERROR_ARGUMENT,
        "'options.method' is 9");
  fails("ranks", wherry_floor_plan_decompose(boxes[0], 0, nullptr, none.out()), WHERRY_ERROR_ARGUMENT, "rank");
  auto copy = static_cast<wherry_floor_plan>(plan);
  plan.out();
  fails("freed", wherry_floor_plan_size(copy, &size, nullptr, nullptr), WHERRY_ERROR_ARGUMENT,
        "'plan' is no wherry_floor_plan: it was freed");
}
