// X-arrays and movers by the C interface, against the number that each cell must have.
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "block_cases.hpp"

using namespace wherry_test;

WHERRY_TEST(ghost_cells_have_their_owners_values, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 30;
  for (int number = 0; number < cases; ++number) {
    const int n = number < 6 ? number + 1 : draw(random, 1, 4);
    const auto whole = random_box(random, n, 1, n > 4 ? 3 : 6);
    const auto space = random_domain(random, whole);
    const auto boxes = random_tiling(random, whole, test.size, draw(random, 0, 6));
    const bool faces = draw(random, 0, 1) == 1, distributed = draw(random, 0, 2) == 0;
    const auto title = "case " + std::to_string(number) + ", " + std::to_string(n) + " dimensions" +
                       (faces ? ", faces" : "") + (distributed ? ", distributed" : "");
    test.note(title);
    const auto options = random_options(random, n, 2);
    held_plan plan;
    held_array u, v;
    held_exchange fill;
    if (distributed) {
      std::vector<wherry_box> mine;
      for (std::size_t i = 0; i < boxes.boxes.size(); ++i)
        if (boxes.owners[i] == test.rank) mine.push_back(boxes.boxes[i]);
      succeeds(wherry_floor_plan_create_distributed(comm, n, static_cast<int>(mine.size()), mine.data(),
                                                    &options.ghost_width, &space, plan.out()),
               title);
    } else {
      boxes.make(plan.out());
    }
    succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, u.out()), title);
    succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, &options, v.out()), title);
    wherry_ghost_options how = WHERRY_INIT(wherry_ghost_options);
    if (faces) how.stencil = WHERRY_STENCIL_FACES;
    succeeds(wherry_ghost_filler_create(u, &space, &how, fill.out()), title);
    fill_cores(u);
    succeeds(wherry_exchange_run(fill), title);
    check_filled(u, boxes, space, faces, title);
    // Another array of the same shape.
    fill_cores(v);
    const wherry_x_array other[] = {v, v};
    succeeds(wherry_mover_start_with(fill, 2, other), title);
    int done = 0;
    while (done == 0) succeeds(wherry_exchange_test(fill, &done), title);
    check_filled(v, boxes, space, faces, title + ", another array");
    // The array's memory lives as long as the filler. The last start was with `v`.
    u.out();
    plan.out();
    fill_cores(v);
    succeeds(wherry_exchange_run(fill), title);
    check_filled(v, boxes, space, faces, title + ", without the first array");
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(arrays_are_redistributed, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 24;
  for (int number = 0; number < cases; ++number) {
    const int n = number < 6 ? number + 1 : draw(random, 1, 3);
    const auto whole = random_box(random, n, 1, n > 4 ? 3 : 6);
    const auto a = random_tiling(random, whole, test.size, draw(random, 0, 5)),
               b = random_tiling(random, random_box(random, n, 1, 5), test.size, draw(random, 0, 5));
    const auto title = "case " + std::to_string(number) + ", " + std::to_string(n) + " dimensions";
    test.note(title);
    held_plan from, to;
    held_array u, v, f;
    const bool distributed = draw(random, 0, 2) == 0;
    a.make(from.out());
    if (distributed) {
      std::vector<wherry_box> mine;
      for (std::size_t i = 0; i < b.boxes.size(); ++i)
        if (b.owners[i] == test.rank) mine.push_back(b.boxes[i]);
      succeeds(wherry_floor_plan_create_distributed(comm, n, static_cast<int>(mine.size()), mine.data(), nullptr,
                                                    nullptr, to.out()));
    } else {
      b.make(to.out());
    }
    auto options = random_options(random, n, 1), others = random_options(random, n, 1);
    others.components = options.components;
    succeeds(wherry_x_array_create(comm, from, WHERRY_FLOAT64, &options, u.out()), title);
    succeeds(wherry_x_array_create(comm, to, WHERRY_FLOAT64, &others, v.out()), title);
    succeeds(wherry_x_array_create(comm, to, WHERRY_FLOAT32, &others, f.out()), title);
    fill_cores(u);
    clear(v);
    clear<float>(f);
    succeeds(wherry_redistribute(u, v, nullptr), title);
    check_moved(v, a, title);
    succeeds(wherry_redistribute(u, f, nullptr), title + ", to floats");
    check_moved<float>(f, a, title + ", to floats");
    if (distributed) continue;
    // There and back by a plan, two arrays in one message.
    held_motions there, back;
    held_exchange move, again;
    succeeds(wherry_motion_plan_redistribution(from, nullptr, to, nullptr, there.out()), title);
    succeeds(wherry_motion_plan_reversed(there, back.out()), title);
    wherry_movement both[2] = {};
    both[0].motions = both[1].motions = there;
    both[0].source = both[1].source = u;
    both[0].destination = v;
    both[1].destination = f;
    succeeds(wherry_mover_create(comm, 2, both, nullptr, move.out()), title);
    clear(v);
    clear<float>(f);
    succeeds(wherry_exchange_run(move), title);
    check_moved(v, a, title + ", first of two");
    check_moved<float>(f, a, title + ", second of two");
    wherry_movement in_turn[2] = {both[0], {}};
    in_turn[1].motions = back;
    in_turn[1].source = v;
    in_turn[1].destination = u;
    in_turn[1].update.operation = WHERRY_ADD;
    in_turn[1].stage = 1;
    succeeds(wherry_mover_create(comm, 2, in_turn, nullptr, again.out()), title);
    fill_cores(u);
    succeeds(wherry_exchange_run(again), title);
    int wrong = 0;
    for_values<double>(u, [&](double value, const coordinates& p, const wherry_block& block, int c) {
      const double once = is_inside(block.core, p) ? number_of(p, c) : untouched;
      if (value != (is_inside(block.core, p) && b.has(p) ? 2 * once : once)) ++wrong;
    });
    if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong after there and back");
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(sections_move_as_listed, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  constexpr int cases = 24;
  for (int number = 0; number < cases; ++number) {
    const int n = draw(random, 1, 3);
    const auto a = random_tiling(random, random_box(random, n, 3, 5), test.size, 3),
               b = random_tiling(random, random_box(random, n, 3, 5), test.size, 3);
    test.note("case " + std::to_string(number));
    held_plan from, to;
    held_array u, v;
    held_motions list, by_rule;
    held_exchange move;
    a.make(from.out());
    b.make(to.out());
    succeeds(wherry_x_array_create(comm, from, WHERRY_FLOAT64, nullptr, u.out()));
    succeeds(wherry_x_array_create(comm, to, WHERRY_FLOAT64, nullptr, v.out()));
    succeeds(wherry_motion_plan_create(n, list.out()));
    std::map<std::pair<int, coordinates>, double> wanted;
    std::vector<wherry_motion> entries;
    for (int i = 0; i < static_cast<int>(b.boxes.size()); ++i) {
      wherry_motion entry{};
      entry.to = i;
      entry.from = draw(random, 0, static_cast<int>(a.boxes.size()) - 1);
      const auto &source = a.boxes[static_cast<std::size_t>(entry.from)],
                 &target = b.boxes[static_cast<std::size_t>(i)];
      entry.source = source;
      entry.destination = target;
      entry.turned = draw(random, 0, 1);
      // Dimension d of the destination runs along dimension `axes[d]`; without `turned` the boxes' points are matched
      // in order, since their extents differ.
      for (int d = 0; d < n; ++d) entry.axes[d] = (d + 1) % n;
      for (int d = 0; d < n; ++d) {
        const int e = entry.axes[d];
        const auto length = std::min(target.upper[d] - target.lower[d], source.upper[e] - source.lower[e]);
        entry.destination.upper[d] = target.lower[d] + length;
        entry.source.lower[e] = source.upper[e] - length;
      }
      std::vector<coordinates> sources, targets;
      for_points(entry.source, [&](const coordinates& p) { sources.push_back(p); });
      for_points(entry.destination, [&](const coordinates& q) { targets.push_back(q); });
      for (std::size_t k = 0; k < targets.size(); ++k) {
        auto p = sources[k];
        for (int d = 0; d < n && entry.turned != 0; ++d) {
          const auto e = static_cast<std::size_t>(entry.axes[d]);
          p[e] = entry.source.lower[e] + targets[k][static_cast<std::size_t>(d)] - entry.destination.lower[d];
        }
        wanted[{i, targets[k]}] = number_of(p);
      }
      entries.push_back(entry);
      succeeds(wherry_motion_plan_add(list, &entry));
    }
    // The same entries by a rule of the program's.
    succeeds(wherry_motion_plan_by_rule(
        n,
        [](int, wherry_take_motion take, void* taker, void* context) {
          for (const auto& entry : *static_cast<std::vector<wherry_motion>*>(context)) take(taker, &entry);
          return 0;
        },
        &entries, by_rule.out()));
    for (const wherry_motion_plan how :
         {static_cast<wherry_motion_plan>(list), static_cast<wherry_motion_plan>(by_rule)}) {
      wherry_movement movement{};
      movement.motions = how;
      movement.source = u;
      movement.destination = v;
      succeeds(wherry_mover_create(comm, 1, &movement, nullptr, move.out()));
      fill_cores(u);
      clear(v);
      succeeds(wherry_exchange_run(move));
      int wrong = 0;
      for_values<double>(v, [&](double value, const coordinates& p, const wherry_block& block, int) {
        const auto found = wanted.find({block.number, p});
        if (value != (found == wanted.end() ? untouched : found->second)) ++wrong;
      });
      if (fault(wrong > 0)) FAIL("case " + std::to_string(number) + ": " + std::to_string(wrong) + " cells are wrong");
    }
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(arrays_of_the_program_are_transposed, ranks(1, 2, 3, 4)) {
  held_comm comm;
  held_plan rows, columns;
  held_array u, v;
  held_motions turn;
  held_exchange move;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const std::int64_t nx = 7, ny = 5, extents[2] = {nx, ny}, turned[2] = {ny, nx}, pieces[2] = {1, test.size};
  const int axes[2] = {1, 0};
  succeeds(wherry_floor_plan_even_blocks(wherry_make_box(2, nullptr, extents), pieces, 0, nullptr, rows.out()));
  succeeds(wherry_floor_plan_even_blocks(wherry_make_box(2, nullptr, turned), pieces, 0, nullptr, columns.out()));
  // Arrays of C with a ghost layer, three numbers in an element, two components behind one another.
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  options.ghost_width = wherry_same_widths(1);
  options.components = 2;
  options.numbers = 3;
  const auto array_over = [&](wherry_floor_plan plan, std::vector<std::int32_t>& memory, wherry_x_array* result) {
    wherry_box mine{};
    succeeds(wherry_floor_plan_box(plan, test.rank, &mine, nullptr));
    const std::int64_t lengths[3] = {2, mine.upper[0] - mine.lower[0] + 2, mine.upper[1] - mine.lower[1] + 2};
    const bool empty = mine.upper[1] <= mine.lower[1];  // an empty box stays empty with ghost cells
    memory.assign(static_cast<std::size_t>(6 * lengths[1] * lengths[2]), -1);
    wherry_view view{};
    view.data = memory.data();
    view.dimensions = 3;
    view.components = 3;
    view.type = WHERRY_INT32;
    view.extents[0] = lengths[1], view.extents[1] = empty ? 0 : lengths[2], view.extents[2] = 2;
    view.strides[0] = lengths[2], view.strides[1] = 1, view.strides[2] = lengths[1] * lengths[2];
    if (empty) view.extents[0] = 0;
    succeeds(wherry_x_array_create_over(comm, plan, WHERRY_INT32, 1, &view, &options, result));
  };
  std::vector<std::int32_t> a, b;
  array_over(rows, a, u.out());
  array_over(columns, b, v.out());
  const auto number = [](const coordinates& p, int c, int i) {
    return static_cast<std::int32_t>(1000 * p[0] + 100 * p[1] + 10 * c + i);
  };
  for_values<std::int32_t>(u, [&](std::int32_t& value, const coordinates& p, const wherry_block&, int c) {
    for (int i = 0; i < 3; ++i) (&value)[i] = number(p, c, i);
  });
  succeeds(wherry_motion_plan_transposition(rows, columns, axes, turn.out()));
  wherry_movement movement{};
  movement.motions = turn;
  movement.source = u;
  movement.destination = v;
  succeeds(wherry_mover_create(comm, 1, &movement, nullptr, move.out()));
  succeeds(wherry_exchange_run(move));
  int wrong = 0;
  for_values<std::int32_t>(v, [&](std::int32_t& value, const coordinates& p, const wherry_block& block, int c) {
    for (int i = 0; i < 3; ++i)
      if ((&value)[i] != (is_inside(block.core, p) ? number({p[1], p[0]}, c, i) : -1)) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
  CHECK(blocks_of(v)[0].values.data == b.data() || blocks_of(v)[0].values.extents[0] == 0);
}
