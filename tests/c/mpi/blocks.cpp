// X-arrays and movers by the C interface, against the number that each cell must have.
#include <cstring>
#include <map>

#include "block_cases.hpp"

namespace {

using namespace wherry_test;

/// The options of an x-array with random layout, ghost widths and components.
wherry_x_array_options random_options(std::mt19937_64& random, int dimensions, int most_width) {
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  for (int d = 0; d < dimensions; ++d) {
    options.ghost_width.minus[d] = draw(random, 0, most_width);
    options.ghost_width.plus[d] = draw(random, 0, most_width);
  }
  options.layout = draw(random, 0, 2);
  for (int d = 0; d < dimensions; ++d) options.places[d] = (d + 1) % dimensions;
  options.components = draw(random, 0, 2);
  options.dense_rows = draw(random, 0, 1);
  return options;
}

/// After ghost cells were filled: the values of all cells that some box has, or has an image of.
template <class T = double>
void check_filled(wherry_x_array array, const tiling& boxes, const wherry_domain& space, bool faces,
                  const std::string& title) {
  int wrong = 0;
  for_values<T>(array, [&](const T& value, const coordinates& p, const wherry_block& block, int c) {
    int beyond = 0;
    for (std::size_t d = 0; d < p.size(); ++d)
      beyond += p[d] < block.core.lower[d] || p[d] >= block.core.upper[d] ? 1 : 0;
    const auto home = wrapped(space, p);
    const bool has = boxes.has(home) && !(faces && beyond > 1);
    if (value != static_cast<T>(has ? number_of(home, c) : untouched)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}

/// After a redistribution: the core values of cells that some box of `from` has.
template <class T = double> void check_moved(wherry_x_array array, const tiling& from, const std::string& title) {
  int wrong = 0;
  for_values<T>(array, [&](const T& value, const coordinates& p, const wherry_block& block, int c) {
    const bool has = is_inside(block.core, p) && from.has(p);
    if (value != static_cast<T>(has ? number_of(p, c) : untouched)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}
template <class T = double> void clear(wherry_x_array array) {
  for_values<T>(array,
                [](T& value, const coordinates&, const wherry_block&, int) { value = static_cast<T>(untouched); });
}

}  // namespace

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
    // What one rank gets wrong is an error of all.
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
