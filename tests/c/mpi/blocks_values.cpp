// Values on planes, grids in parts, stages, and fields over floor plans by the C interface.
#include <cstdint>
#include <map>

#include "block_cases.hpp"

using namespace wherry_test;

WHERRY_TEST(shared_values_are_summed_and_counted_once, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 12;
  for (int number = 0; number < cases; ++number) {
    const int n = draw(random, 1, 3);
    auto boxes = random_tiling(random, random_box(random, n, 2, 5), test.size, 4);
    const auto space = wherry_open_domain(boxes.whole);
    held_plan plan;
    held_array u;
    held_exchange add, fill;
    boxes.make(plan.out());
    wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
    for (int d = 0; d < n; ++d) options.on_planes[d] = 1;
    succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, u.out()));
    wherry_ghost_options how = WHERRY_INIT(wherry_ghost_options);
    how.combine_copies.operation = WHERRY_ADD;
    succeeds(wherry_ghost_filler_create(u, &space, &how, add.out()));
    for_values<double>(u, [](double& value, const coordinates&, const wherry_block&, int) { value = 1; });
    succeeds(wherry_exchange_run(add));
    int wrong = 0;
    for_values<double>(u, [&](double value, const coordinates& p, const wherry_block&, int) {
      int copies = 0;
      for (auto one : boxes.boxes) {
        succeeds(wherry_box_values(one, options.on_planes, &one));
        copies += is_inside(one, p) ? 1 : 0;
      }
      if (value != copies) ++wrong;
    });
    CHECK_EQUAL(wrong, 0);
    // Each node gets its owner's rank.
    succeeds(wherry_ghost_filler_create(u, &space, nullptr, fill.out()));
    std::map<coordinates, double> owners;
    for (int rank = 0; rank < test.size; ++rank) {
      wherry_box_part parts[400];
      int count = 0;
      succeeds(wherry_owned_values(plan, options.on_planes, &space, rank, 400, parts, &count));
      REQUIRE(count <= 400);
      for (int i = 0; i < count; ++i)
        for_points(parts[i].cells, [&](const coordinates& p) { CHECK(owners.emplace(p, parts[i].number).second); });
    }
    for_values<double>(u,
                       [](double& value, const coordinates&, const wherry_block& block, int) { value = block.number; });
    succeeds(wherry_exchange_run(fill));
    wrong = 0;
    for_values<double>(u, [&](double value, const coordinates& p, const wherry_block&, int) {
      if (value != owners.at(p)) ++wrong;
    });
    CHECK_EQUAL(wrong, 0);
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(grids_leave_when_they_are_ready, ranks(1, 2, 3)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  held_plan plan;
  held_array u, v;
  held_exchange fill;
  held_motions stages, halo;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const auto whole = random_box(random, 2, 6, 8);
  const std::int64_t pieces[2] = {2, 2};
  const int owners[4] = {0, test.size - 1, 0, test.size / 2};
  succeeds(wherry_floor_plan_even_blocks(whole, pieces, 4, owners, plan.out()));
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  options.ghost_width = wherry_same_widths(1);
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, u.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, v.out()));
  const auto space = wherry_torus(whole);
  wherry_ghost_options how = WHERRY_INIT(wherry_ghost_options);
  how.in_parts = 1;
  succeeds(wherry_ghost_filler_create(u, &space, &how, fill.out()));
  tiling boxes{whole, {whole}, {0}};
  const auto count = static_cast<int>(blocks_of(u).size());
  clear(u);
  succeeds(wherry_exchange_start_in_parts(fill));
  fill_cores(u);
  for (int i = 0; i < count; ++i) succeeds(wherry_exchange_ready(fill, i));
  succeeds(wherry_exchange_wait(fill));
  const wherry_x_array other[] = {v, v};
  succeeds(wherry_mover_start_in_parts_with(fill, 2, other));
  fill_cores(v);
  for (int i = 0; i < count; ++i) succeeds(wherry_exchange_ready(fill, i));
  succeeds(wherry_exchange_wait(fill));
  check_filled(v, boxes, space, false, "in parts");
  // Dimension by dimension.
  wherry_halo_motion_options order = WHERRY_INIT(wherry_halo_motion_options);
  order.order = WHERRY_HALO_BY_DIMENSION;
  succeeds(wherry_motion_plan_halo(plan, &options.ghost_width, &space, &order, stages.out()));
  int steps = 0;
  succeeds(wherry_motion_plan_stages(stages, &steps));
  CHECK_EQUAL(steps, 2);
  wherry_movement movement{};
  movement.motions = stages;
  movement.source = movement.destination = u;
  succeeds(wherry_mover_create(comm, 1, &movement, nullptr, fill.out()));
  fill_cores(u);
  succeeds(wherry_exchange_run(fill));
  check_filled(u, boxes, space, false, "by dimension");
  fails("a list of stages", wherry_motion_plan_listed(stages, -1, halo.out()), WHERRY_ERROR_ARGUMENT,
        "'plan' has 2 stages");
  // Reversed, dimension by dimension: each core value gets as many as it has copies.
  held_motions back;
  succeeds(wherry_motion_plan_reversed(stages, back.out()));
  movement.motions = back;
  movement.update.operation = WHERRY_ADD;
  succeeds(wherry_mover_create(comm, 1, &movement, nullptr, fill.out()));
  for_values<double>(u, [](double& value, const coordinates&, const wherry_block&, int) { value = 1; });
  succeeds(wherry_exchange_run(fill));
  double mine = 0, all = 0;
  int cells = 0, every = 0;
  for_values<double>(u, [&](double value, const coordinates& p, const wherry_block& block, int) {
    mine += is_inside(block.core, p) ? value : 0;
    ++cells;
  });
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, test.comm);
  MPI_Allreduce(&cells, &every, 1, MPI_INT, MPI_SUM, test.comm);
  CHECK_EQUAL(all, static_cast<double>(every));
}

WHERRY_TEST(fields_over_a_floor_plan_have_halos, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 12;
  for (int number = 0; number < cases; ++number) {
    const int n = draw(random, 1, 4);
    const auto boxes = random_tiling(random, random_box(random, n, 2, 5), test.size, 5);
    const auto space = random_domain(random, boxes.whole);
    held_plan plan;
    held_exchange fill;
    boxes.make(plan.out());
    std::vector<std::vector<double>> memory;
    std::vector<wherry_box> mine;
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i)
      if (boxes.owners[i] == test.rank) mine.push_back(boxes.boxes[i]);
    std::vector<wherry_field> fields;
    for (const auto& one : mine)
      for (const int width : {1, 2}) {
        std::int64_t extents[4], size = 1;
        for (int d = 0; d < n; ++d) size *= extents[d] = one.upper[d] - one.lower[d] + 2 * width;
        memory.emplace_back(static_cast<std::size_t>(size), untouched);
        fields.push_back(wherry_field_inside(wherry_c_array(memory.back().data(), WHERRY_FLOAT64, n, extents), width));
      }
    const auto visit = [&](auto&& each) {
      for (std::size_t f = 0; f < fields.size(); ++f) {
        wherry_box all{};
        succeeds(wherry_box_grow(mine[f / 2], static_cast<std::int64_t>(f % 2 + 1), &all));
        for_points(all, [&](const coordinates& p) {
          std::int64_t place = 0;
          for (std::size_t d = 0; d < p.size(); ++d) place += (p[d] - all.lower[d]) * fields[f].array.strides[d];
          each(memory[f][static_cast<std::size_t>(place)], p, mine[f / 2], static_cast<int>(f % 2));
        });
      }
    };
    succeeds(wherry_halo_exchange_create_on_plan(comm, plan, &space, static_cast<int>(mine.size()), 2, fields.data(),
                                                 nullptr, fill.out()));
    visit([](double& value, const coordinates& p, const wherry_box& core, int f) {
      value = is_inside(core, p) ? number_of(p, f) : untouched;
    });
    succeeds(wherry_exchange_run(fill));
    int wrong = 0;
    visit([&](double& value, const coordinates& p, const wherry_box&, int f) {
      const auto home = wrapped(space, p);
      if (value != (boxes.has(home) ? number_of(home, f) : untouched)) ++wrong;
    });
    if (fault(wrong > 0)) FAIL("case " + std::to_string(number) + ": " + std::to_string(wrong) + " cells are wrong");
    // The addresses are in the order of the fields.
    std::vector<void*> table;
    for (auto& one : memory) table.push_back(one.data());
    succeeds(wherry_exchange_start_with(fill, static_cast<int>(table.size()), table.data()));
    succeeds(wherry_exchange_wait(fill));
    if (number > 0) continue;
    // A mistake of one rank is an error of all.
    held_exchange none;
    const int off = test.rank == test.size - 1 ? 1 : 0;
    fails("boxes",
          wherry_halo_exchange_create_on_plan(comm, plan, &space, static_cast<int>(mine.size()) + off, 2, fields.data(),
                                              nullptr, none.out()),
          WHERRY_ERROR_ARGUMENT, "but the rank owns");
    fails("no plan",
          wherry_halo_exchange_create_on_plan(comm, off != 0 ? nullptr : static_cast<wherry_floor_plan>(plan), &space,
                                              static_cast<int>(mine.size()), 2, fields.data(), nullptr, none.out()),
          WHERRY_ERROR_ARGUMENT, "'plan' is NULL");
    fails("no fields",
          wherry_halo_exchange_create_on_plan(comm, plan, &space, static_cast<int>(mine.size()), off != 0 ? 0 : 2,
                                              fields.data(), nullptr, none.out()),
          WHERRY_ERROR_ARGUMENT, "'field_count' is 0");
  }
  test.count_cases(cases, cases);
}
