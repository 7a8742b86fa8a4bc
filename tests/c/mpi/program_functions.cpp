// Functions of the program's that free or drive the objects of the call that runs them: they are refused, and the call
// goes on to its right end.
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "block_cases.hpp"
#include "c/particle_world.hpp"

namespace {

using namespace wherry_test;

/// What a function of the program's tries. It notes how many calls were refused, and what was returned otherwise.
struct attempts {
  std::vector<wherry_status (*)(attempts&)> calls;
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_exchange exchange = nullptr, other = nullptr;
  wherry_arriving arriving = nullptr;
  wherry_particle_exchange particles = nullptr;
  wherry_x_array array = nullptr;
  wherry_floor_plan plan = nullptr;
  wherry_motion_plan motions = nullptr;
  wherry_level_coupling levels = nullptr;
  wherry_arrivals arrived = nullptr;
  int refused = 0, done = 0;
  std::vector<wherry_status> others{};

  void make() {
    for (const auto call : calls) {
      const auto status = call(*this);
      if (status == WHERRY_ERROR_STATE)
        ++refused;
      else
        others.push_back(status);
    }
  }
  /// At least one round was made, and in all rounds everything was refused.
  void check() const {
    CHECK(refused > 0);
    CHECK(others.empty());
    CHECK_EQUAL(static_cast<std::size_t>(refused) % calls.size(), std::size_t{0});
  }
};

/// Adds, and makes the attempts.
int add_and_try(void* into, const void* from, std::size_t count, void* context) {
  static_cast<attempts*>(context)->make();
  for (std::size_t i = 0; i < count; ++i) static_cast<double*>(into)[i] += static_cast<const double*>(from)[i];
  return 0;
}

/// Halo cells are added to the cells whose copies they are, on a ring of ranks with 4 cells each.
struct ring {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_exchange exchange = nullptr;
  std::vector<double> values{10, 1, 2, 3, 4, 20};

  ring(const context& test, attempts& tried) {
    const int periodic = 1;
    const std::int64_t extent = 6;
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = &periodic;
    succeeds(wherry_communicator_create(test.comm, &comm));
    succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
    wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
    options.reverse = 1;
    options.update.function = add_and_try;
    options.update.context = &tried;
    options.update.name = "add and try";
    options.update.type = WHERRY_FLOAT64;
    const auto field = wherry_field_inside(wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &extent), 1);
    succeeds(wherry_halo_exchange_create(grid, 1, &field, &options, &exchange));
  }
  ring(const ring&) = delete;
  ring& operator=(const ring&) = delete;
  ~ring() {
    wherry_exchange_free(&exchange);
    wherry_process_grid_free(&grid);
    wherry_communicator_free(&comm);
  }
  void check_sums() const {
    CHECK_EQUAL(values[1], 21.0);
    CHECK_EQUAL(values[2], 2.0);
    CHECK_EQUAL(values[3], 3.0);
    CHECK_EQUAL(values[4], 14.0);
  }
};

}  // namespace

WHERRY_TEST(an_operation_cannot_free_or_drive_its_exchange, ranks(1, 2, 3, 4)) {
  attempts tried;
  ring one(test, tried), second(test, tried);
  tried.comm = one.comm;
  tried.grid = one.grid;
  tried.exchange = one.exchange;
  tried.other = second.exchange;
  tried.calls = {[](attempts& a) { return wherry_exchange_free(&a.exchange); },
                 [](attempts& a) { return wherry_exchange_free(&a.other); },
                 [](attempts& a) { return wherry_process_grid_free(&a.grid); },
                 [](attempts& a) { return wherry_communicator_free(&a.comm); },
                 [](attempts& a) { return wherry_exchange_start(a.exchange); },
                 [](attempts& a) { return wherry_exchange_wait(a.exchange); },
                 [](attempts& a) { return wherry_exchange_test(a.other, &a.done); },
                 [](attempts& a) { return wherry_exchange_run(a.exchange); },
                 [](attempts& a) { return wherry_exchange_abandon(a.exchange); }};
  // The one that is waited for carries on the other.
  succeeds(wherry_exchange_start(one.exchange));
  succeeds(wherry_exchange_start(second.exchange));
  succeeds(wherry_exchange_wait(second.exchange));
  succeeds(wherry_exchange_wait(one.exchange));
  one.check_sums();
  second.check_sums();
  tried.check();
  CHECK(tried.exchange == one.exchange);  // refused handles stay
  succeeds(wherry_exchange_free(&one.exchange));
  CHECK(one.exchange == nullptr);
}

WHERRY_TEST(an_operation_cannot_end_a_sparse_exchange, ranks(1, 2, 3, 4)) {
  attempts tried;
  ring one(test, tried);
  const double mine = test.rank;
  const int to = (test.rank + 1) % test.size;
  const std::int64_t count = 1;
  succeeds(wherry_send_to_start(one.comm, &to, wherry_c_array(const_cast<double*>(&mine), WHERRY_FLOAT64, 1, &count),
                                nullptr, &tried.arriving));
  tried.calls = {[](attempts& a) { return wherry_arriving_free(&a.arriving); },
                 [](attempts& a) { return wherry_arriving_test(a.arriving, &a.done); },
                 [](attempts& a) { return wherry_arriving_wait(a.arriving, &a.arrived); }};
  succeeds(wherry_exchange_run(one.exchange));
  tried.check();
  one.check_sums();
  succeeds(wherry_arriving_wait(tried.arriving, &tried.arrived));
  wherry_view all{};
  succeeds(wherry_arrivals_all(tried.arrived, &all));
  REQUIRE(all.extents[0] == 1);
  CHECK_EQUAL(*static_cast<double*>(all.data), static_cast<double>((test.rank + test.size - 1) % test.size));
  succeeds(wherry_arrivals_free(&tried.arrived));
  succeeds(wherry_arriving_free(&tried.arriving));
}

WHERRY_TEST(functions_of_particles_cannot_free_their_exchange, ranks(1, 2, 3, 4)) {
  attempts tried;
  tried.calls = {[](attempts& a) { return wherry_particle_exchange_free(&a.particles); },
                 [](attempts& a) { return wherry_particle_exchange_wait(a.particles, nullptr); },
                 [](attempts& a) { return wherry_particle_exchange_test(a.particles, &a.done); },
                 [](attempts& a) { return wherry_process_grid_free(&a.grid); }};
  held_comm comm;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  succeeds(wherry_process_grid_create(comm, 1, nullptr, &tried.grid));
  wherry_particle_space space{};
  space.dimensions = 1;
  space.upper[0] = 1;
  space.context = &tried;
  space.fractions = [](const double* position, double* fractions, void* context) {
    auto& all = *static_cast<attempts*>(context);
    if (all.particles != nullptr) all.make();  // it is also called when the exchange is made
    fractions[0] = position[0];
  };
  wherry_particle_exchange exchange = nullptr;
  const std::int64_t cells = test.size;
  succeeds(wherry_particle_exchange_create(tried.grid, &cells, &space, nullptr, &exchange));
  tried.particles = exchange;
  arrays all{{WHERRY_FLOAT64, 1}};
  all.resize(3);
  const int to = (test.rank + 1) % test.size;
  for (int i = 0; i < 3; ++i) all.of<double>(0)[i] = (to + 0.25 * (i + 1)) / test.size;
  wherry_particle_move moved{};
  succeeds(wherry_particle_exchange_run(exchange, nullptr, all.size(), all.data(), &moved));
  CHECK_EQUAL(moved.count, std::int64_t{3});
  for (int i = 0; i < 3; ++i) CHECK_EQUAL(static_cast<int>(all.of<double>(0)[i] * test.size), test.rank);
  tried.check();

  // The functions that choose owners and make room.
  attempts choosing;
  choosing.calls = tried.calls;
  choosing.particles = exchange;
  choosing.grid = tried.grid;
  wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
  choice.by = WHERRY_BY_OWNER;
  choice.owner_of = [](std::int64_t, void* context) {
    auto& one = *static_cast<attempts*>(context);
    one.make();
    return 0;
  };
  choice.context = &choosing;
  for (auto& array : all.list) {
    array.context = &choosing;
    array.grow = [](void* data, std::size_t bytes, void* context) {
      static_cast<attempts*>(context)->make();
      return wherry_reallocate(data, bytes, nullptr);
    };
  }
  succeeds(wherry_particle_exchange_run(exchange, &choice, all.size(), all.data(), &moved));
  CHECK_EQUAL(moved.count, std::int64_t{test.rank == 0 ? 3 * test.size : 0});
  choosing.check();
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_process_grid_free(&tried.grid));
}

WHERRY_TEST(rules_of_motions_and_boxes_cannot_free_arrays, ranks(1, 2, 3)) {
  attempts tried;
  tried.calls = {[](attempts& a) { return wherry_x_array_free(&a.array); },
                 [](attempts& a) { return wherry_floor_plan_free(&a.plan); },
                 [](attempts& a) { return wherry_floor_plan_add(a.plan, wherry_box{1, {90}, {91}}, 0); },
                 [](attempts& a) { return wherry_motion_plan_free(&a.motions); }};
  held_comm comm;
  held_plan plan, changed;
  held_array from, to;
  held_motions rule;
  held_exchange move;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const wherry_box whole{1, {0}, {4L * test.size}};
  succeeds(wherry_floor_plan_decompose(whole, test.size, nullptr, plan.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, nullptr, from.out()));
  succeeds(wherry_x_array_create(comm, plan, WHERRY_FLOAT64, nullptr, to.out()));
  struct given {
    attempts* tried;
    int boxes;
  } context{&tried, test.size};
  succeeds(wherry_motion_plan_by_rule(
      1,
      [](int, wherry_take_motion take, void* taker, void* of) {
        const auto& all = *static_cast<given*>(of);
        all.tried->make();
        for (int i = 0; i < all.boxes; ++i) {
          wherry_motion entry{};
          entry.from = i;
          entry.to = i;
          entry.source = entry.destination = wherry_box{1, {4L * i}, {4L * i + 4}};
          take(taker, &entry);
        }
        return 0;
      },
      &context, rule.out()));
  tried.array = from;
  tried.plan = plan;
  tried.motions = rule;
  wherry_movement movement{};
  movement.motions = rule;
  movement.source = from;
  movement.destination = to;
  succeeds(wherry_mover_create(comm, 1, &movement, nullptr, move.out()));
  tried.check();
  fill_cores(from);
  for_values<double>(to, [](double& value, const coordinates&, const wherry_block&, int) { value = untouched; });
  succeeds(wherry_exchange_run(move));
  int wrong = 0;
  for_values<double>(to, [&](double value, const coordinates& p, const wherry_block&, int) {
    if (value != number_of(p)) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);

  attempts changing = tried;
  changing.refused = 0;
  succeeds(wherry_floor_plan_transformed(
      plan,
      [](wherry_box* box, void* of) {
        static_cast<attempts*>(of)->make();
        ++box->upper[0];
        ++box->lower[0];
        return 0;
      },
      &changing, changed.out()));
  changing.check();
  int count = 0;
  succeeds(wherry_floor_plan_size(changed, &count, nullptr, nullptr));
  CHECK_EQUAL(count, test.size);
}

WHERRY_TEST(an_interpolation_cannot_free_its_levels, ranks(1, 2, 3)) {
  attempts tried;
  tried.calls = {[](attempts& a) { return wherry_level_coupling_free(&a.levels); },
                 [](attempts& a) { return wherry_x_array_free(&a.array); },
                 [](attempts& a) { return wherry_level_start_ghosts(a.levels); },
                 [](attempts& a) { return wherry_level_wait_average_down(a.levels); }};
  held_comm comm;
  held_plan below, above;
  held_array coarse, fine;
  held_levels levels;
  succeeds(wherry_communicator_create(test.comm, comm.out()));
  const auto space = wherry_torus(wherry_box{1, {0}, {4L * test.size}});
  const std::int64_t ratio = 2;
  // Each rank has a fine box with coarse cells on both sides.
  std::vector<wherry_box> boxes;
  std::vector<int> owners;
  for (int i = 0; i < test.size; ++i) {
    boxes.push_back({1, {8L * i + 2}, {8L * i + 6}});
    owners.push_back(i);
  }
  succeeds(wherry_floor_plan_decompose(space.cells, test.size, nullptr, below.out()));
  succeeds(wherry_floor_plan_create(1, test.size, boxes.data(), owners.data(), above.out()));
  wherry_x_array_options options = WHERRY_INIT(wherry_x_array_options);
  options.ghost_width = wherry_same_widths(1);
  succeeds(wherry_x_array_create(comm, below, WHERRY_FLOAT64, nullptr, coarse.out()));
  succeeds(wherry_x_array_create(comm, above, WHERRY_FLOAT64, &options, fine.out()));
  wherry_level_options how = WHERRY_INIT(wherry_level_options);
  how.reach = WHERRY_NO_REACH;
  succeeds(wherry_level_coupling_create(coarse, fine, &space, &ratio, &how, levels.out()));
  tried.levels = levels;
  tried.array = fine;
  fill_cores(coarse);
  fill_cores(fine);
  succeeds(wherry_level_fill_ghosts(
      levels,
      [](const wherry_block* from, const wherry_block* to, const wherry_box* cells, void* of) {
        static_cast<attempts*>(of)->make();
        for_points(*cells, [&](const coordinates& p) {
          const std::int64_t q = p[0] / 2;
          *static_cast<double*>(wherry_block_at(to, p.data(), 0)) =
              *static_cast<const double*>(wherry_block_at(from, &q, 0));
        });
        return 0;
      },
      &tried));
  tried.check();
  int wrong = 0;
  for_values<double>(fine, [&](double value, const coordinates& p, const wherry_block& block, int) {
    if (value != number_of(is_inside(block.core, p) ? p : coordinates{p[0] / 2})) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
}
