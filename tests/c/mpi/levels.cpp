// Levels of refinement by the C interface.
#include <cstdint>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;

/// A coarse level everywhere, and two boxes of a fine level.
struct two_levels {
  held_comm comm;
  held_plan below, above;
  held_array coarse, fine;
  held_levels levels;
  std::int64_t ratio[2] = {2, 2};
  wherry_domain space = wherry_torus(wherry_box{2, {0, 0}, {12, 10}});
  wherry_box boxes[2] = {{2, {4, 4}, {12, 10}}, {2, {12, 4}, {16, 8}}};

  explicit two_levels(const context& test, wherry_type type = WHERRY_FLOAT64, const int* on_planes = nullptr) {
    succeeds(wherry_communicator_create(test.comm, comm.out()));
    const int owners[2] = {0, test.size - 1};
    succeeds(wherry_floor_plan_decompose(space.cells, test.size, nullptr, below.out()));
    succeeds(wherry_floor_plan_create(2, 2, boxes, owners, above.out()));
    wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
    options.ghost_width = wherry_same_widths(2);
    for (int d = 0; on_planes != nullptr && d < 2; ++d) options.on_planes[d] = on_planes[d];
    succeeds(wherry_x_array_create(comm, below, type, &options, coarse.out()));
    succeeds(wherry_x_array_create(comm, above, type, &options, fine.out()));
  }
};

std::int64_t half(std::int64_t x) { return x >= 0 ? x / 2 : -((1 - x) / 2); }

/// Sets fine cells to the coarse cells that contain them.
int constant(const wherry_block* from, const wherry_block* to, const wherry_box* cells, void* context) {
  for_points(*cells, [&](const coordinates& p) {
    const coordinates q{half(p[0]), half(p[1])};
    *static_cast<double*>(wherry_block_at(to, p.data(), 0)) =
        *static_cast<const double*>(wherry_block_at(from, q.data(), 0));
  });
  if (context != nullptr) ++*static_cast<int*>(context);
  return 0;
}

}  // namespace

WHERRY_TEST(levels_are_coupled, ranks(1, 2, 3, 4)) {
  two_levels all(test);
  wherry_level_options options = WHERRY_INIT(wherry_level_options);
  options.reach = WHERRY_NO_REACH;
  succeeds(wherry_level_coupling_create(all.coarse, all.fine, &all.space, all.ratio, &options, all.levels.out()));
  fill_cores(all.coarse);
  fill_cores(all.fine);
  int calls = 0, done = 0, count = 0;
  succeeds(wherry_level_start_ghosts(all.levels));
  while (done == 0) succeeds(wherry_level_test_ghosts(all.levels, &done));
  succeeds(wherry_level_wait_ghosts(all.levels, constant, &calls));
  wherry_box_part parts[32];
  succeeds(wherry_level_ghosts(all.levels, 32, parts, &count));
  CHECK_EQUAL(calls, count);
  int wrong = 0;
  for_values<double>(all.fine, [&](double value, const coordinates& p, const wherry_block& block, int) {
    double wanted = untouched;
    if (is_inside(block.core, p))
      wanted = number_of(p);
    else if (!is_inside(all.boxes[0], p) && !is_inside(all.boxes[1], p))
      wanted = number_of(wrapped(all.space, {half(p[0]), half(p[1])}));
    if (value != wanted) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
  // New boxes are filled as a whole.
  succeeds(wherry_level_fill_all(all.levels, constant, nullptr));
  wrong = 0;
  for_values<double>(all.fine, [&](double value, const coordinates& p, const wherry_block& block, int) {
    if (is_inside(block.core, p) && value != number_of({half(p[0]), half(p[1])})) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
  // Means: 1, 2, 3 and 4 above each coarse cell.
  for_values<double>(all.fine, [](double& value, const coordinates& p, const wherry_block&, int) {
    value = static_cast<double>(1 + (p[0] & 1) + 2 * (p[1] & 1)) + 8 * static_cast<double>(half(p[0]));
  });
  succeeds(wherry_level_average_down(all.levels, nullptr, nullptr));
  const auto check_means = [&](double offset) {
    wrong = 0;
    for_values<double>(all.coarse, [&](double value, const coordinates& p, const wherry_block& block, int) {
      if (!is_inside(block.core, p)) return;
      const coordinates above{2 * p[0], 2 * p[1]};
      const bool below_fine = is_inside(all.boxes[0], above) || is_inside(all.boxes[1], above);
      if (value != (below_fine ? offset + 8 * static_cast<double>(p[0]) : number_of(p))) ++wrong;
    });
    CHECK_EQUAL(wrong, 0);
  };
  check_means(2.5);
  // An average of the program's: the last of the four.
  const auto last = [](const wherry_block* from, const wherry_block* to, const wherry_box* cells, void*) {
    for_points(*cells, [&](const coordinates& p) {
      const coordinates q{2 * p[0] + 1, 2 * p[1] + 1};
      *static_cast<double*>(wherry_block_at(to, p.data(), 0)) =
          *static_cast<double*>(wherry_block_at(from, q.data(), 0));
    });
    return 0;
  };
  succeeds(wherry_level_start_average_down(all.levels, last, nullptr));
  done = 0;
  while (done == 0) succeeds(wherry_level_test_average_down(all.levels, &done));
  succeeds(wherry_level_wait_average_down(all.levels));
  check_means(4);
  wherry_statistics moved{};
  succeeds(wherry_level_statistics(all.levels, &moved));
  CHECK(moved.exchanges >= 3);
  const char* text = nullptr;
  succeeds(wherry_level_explain(all.levels, &text));
  CHECK(std::string(text).find("down, means") != std::string::npos);
  succeeds(wherry_level_transport(all.levels, &text));
  CHECK(*text != '\0');
  // A function that fails is an error of its rank, and the others are served.
  const auto failing = [](const wherry_block*, const wherry_block*, const wherry_box*, void*) { return 5; };
  const auto status = wherry_level_average_down(all.levels, test.rank == 0 ? failing : last, nullptr);
  if (test.rank == 0)
    fails("failing", status, WHERRY_ERROR_RESOURCE, "the program's function returned 5");
  else
    succeeds(status);
  succeeds(wherry_level_average_down(all.levels, last, nullptr));
  // The arrays live as long as the coupling.
  all.coarse.out();
  all.fine.out();
  succeeds(wherry_level_fill_ghosts(all.levels, constant, nullptr));
}

WHERRY_TEST(fluxes_on_planes_are_averaged, ranks(1, 2, 3)) {
  const int planes[2] = {1, 0};
  two_levels all(test, WHERRY_FLOAT32, planes);
  wherry_level_options options = WHERRY_INIT(wherry_level_options);
  options.reach = WHERRY_NO_REACH;
  succeeds(wherry_level_coupling_create(all.coarse, all.fine, &all.space, all.ratio, &options, all.levels.out()));
  for_values<float>(all.coarse, [](float& value, const coordinates&, const wherry_block&, int) { value = -1; });
  for_values<float>(all.fine, [](float& value, const coordinates& p, const wherry_block&, int) {
    value = static_cast<float>(p[0] + 10 * (p[1] & 1));
  });
  succeeds(wherry_level_average_down(all.levels, nullptr, nullptr));
  int wrong = 0;
  for_values<float>(all.coarse, [&](float value, const coordinates& p, const wherry_block& block, int) {
    if (!is_inside(block.core, p)) return;
    bool covered = false;
    for (auto one : all.boxes) {
      succeeds(wherry_box_values(one, planes, &one));
      covered = covered || is_inside(one, {2 * p[0], 2 * p[1]});
    }
    if (value != (covered ? static_cast<float>(2 * p[0] + 5) : -1)) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
}

WHERRY_TEST(numbers_without_a_mean_need_an_average_on_all_ranks, ranks(1, 2, 3)) {
  two_levels all(test, WHERRY_INT32);
  wherry_level_options options = WHERRY_INIT(wherry_level_options);
  options.reach = WHERRY_NO_REACH;
  succeeds(wherry_level_coupling_create(all.coarse, all.fine, &all.space, all.ratio, &options, all.levels.out()));
  for_values<int>(all.fine, [](int& value, const coordinates& p, const wherry_block&, int) {
    value = static_cast<int>(100 * half(p[0]) + half(p[1]) - (p[0] & 1) - (p[1] & 1));
  });
  const wherry_level_function largest = [](const wherry_block* from, const wherry_block* to, const wherry_box* cells,
                                           void*) {
    for_points(*cells, [&](const coordinates& p) {
      const coordinates q{2 * p[0], 2 * p[1]};
      *static_cast<int*>(wherry_block_at(to, p.data(), 0)) = *static_cast<int*>(wherry_block_at(from, q.data(), 0));
    });
    return 0;
  };
  for_values<int>(all.coarse, [](int& value, const coordinates&, const wherry_block&, int) { value = -1; });
  const auto given = test.rank == test.size - 1 ? nullptr : largest;
  for (int again = 0; again < 2; ++again) {
    fails("average down", wherry_level_average_down(all.levels, given, nullptr), WHERRY_ERROR_ARGUMENT,
          "'average' is NULL");
    fails("start", wherry_level_start_average_down(all.levels, given, nullptr), WHERRY_ERROR_ARGUMENT,
          "'average' is NULL");
    const auto check = [&](bool averaged) {
      int wrong = 0;
      for_values<int>(all.coarse, [&](int value, const coordinates& p, const wherry_block& block, int) {
        if (!is_inside(block.core, p)) return;
        const coordinates above{2 * p[0], 2 * p[1]};
        const bool below_fine = is_inside(all.boxes[0], above) || is_inside(all.boxes[1], above);
        if (value != (averaged && below_fine ? static_cast<int>(100 * p[0] + p[1]) : -1)) ++wrong;
      });
      CHECK_EQUAL(wrong, 0);
    };
    check(again > 0);  // after an error nothing has moved
    succeeds(wherry_level_average_down(all.levels, largest, nullptr));
    check(true);
  }
}

WHERRY_TEST(wrong_levels_are_errors_of_all, ranks(1, 2, 3)) {
  two_levels all(test);
  const bool last = test.rank == test.size - 1;
  const auto create = [&](wherry_x_array coarse, const wherry_domain* space, const std::int64_t* ratio,
                          const wherry_level_options* options) {
    return wherry_level_coupling_create(coarse, all.fine, space, ratio, options, all.levels.out());
  };
  const std::int64_t zero[2] = {2, 0};
  fails("no coarse", create(last ? nullptr : static_cast<wherry_x_array>(all.coarse), &all.space, all.ratio, nullptr),
        WHERRY_ERROR_ARGUMENT, "'coarse' is NULL");
  fails("no space", create(all.coarse, last ? nullptr : &all.space, all.ratio, nullptr), WHERRY_ERROR_ARGUMENT,
        "'space' is NULL");
  fails("no ratio", create(all.coarse, &all.space, last ? nullptr : all.ratio, nullptr), WHERRY_ERROR_ARGUMENT,
        "'ratio' is NULL");
  fails("ratio", create(all.coarse, &all.space, zero, nullptr), WHERRY_ERROR_ARGUMENT, "ratio");
  wherry_level_options options = WHERRY_INIT(wherry_level_options);
  if (last) options.reach = -2;
  fails("reach", create(all.coarse, &all.space, all.ratio, &options), WHERRY_ERROR_ARGUMENT, "'options.reach' is -2");
  held_array floats;
  succeeds(wherry_x_array_create(all.comm, all.below, WHERRY_FLOAT32, nullptr, floats.out()));
  fails("type", create(floats, &all.space, all.ratio, nullptr), WHERRY_ERROR_ARGUMENT,
        "'coarse' has elements of another type");
  succeeds(create(all.coarse, &all.space, all.ratio, nullptr));
  fails("no function", wherry_level_fill_ghosts(all.levels, nullptr, nullptr), WHERRY_ERROR_ARGUMENT,
        "'interpolate' is NULL");
  const wherry_level_function does_nothing = [](const wherry_block*, const wherry_block*, const wherry_box*, void*) {
    return 0;
  };
  const auto of_all_but_one = last ? nullptr : does_nothing;
  const auto filled = wherry_level_fill_ghosts(all.levels, of_all_but_one, nullptr);
  if (last)
    fails("no function of one rank", filled, WHERRY_ERROR_ARGUMENT, "'interpolate' is NULL");
  else
    succeeds(filled);
  fails("no function of one rank", wherry_level_fill_all(all.levels, of_all_but_one, nullptr), WHERRY_ERROR_ARGUMENT,
        "'interpolate' is NULL");
  fails("not started", wherry_level_wait_average_down(all.levels), WHERRY_ERROR_STATE, "start");
  fails("no levels", wherry_level_start_ghosts(nullptr), WHERRY_ERROR_ARGUMENT, "'levels' is NULL");
  const auto copy = static_cast<wherry_level_coupling>(all.levels);
  all.levels.out();
  fails("freed", wherry_level_start_ghosts(copy), WHERRY_ERROR_ARGUMENT, "is no wherry_level_coupling: it was freed");
}
