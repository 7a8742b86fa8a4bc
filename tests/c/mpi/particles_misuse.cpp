// Calls about particles refuse wrong arguments, on the right ranks and in words that name the fault.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry.h"

#include "c/particle_world.hpp"
#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

WHERRY_TEST(arrays_that_do_not_grow_are_an_error_that_can_be_mended, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  wherry_particle_exchange exchange = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  succeeds(wherry_particle_exchange_create_by_owner(comm, nullptr, &exchange));
  std::vector<std::int64_t> memory(2, test.rank), more(64);
  wherry_particle_array array{};
  array.data = memory.data();
  array.count = array.capacity = 2;
  array.type = WHERRY_INT64;
  const int owners[] = {0, 0};
  wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
  choice.by = WHERRY_BY_OWNER;
  choice.owners = owners;
  choice.list_count = 2;
  const auto status = wherry_particle_exchange_run(exchange, &choice, 1, &array, nullptr);
  if (test.rank == 0 && test.size > 1) {
    fails("no room", status, WHERRY_ERROR_RESOURCE, "call 'wait' again");
    CHECK_EQUAL(array.count, 2);
    std::ranges::copy(memory, more.begin());
    array.data = more.data();
    array.capacity = 64;
    succeeds(wherry_particle_exchange_wait(exchange, nullptr));
    CHECK_EQUAL(array.count, 2 * test.size);
    CHECK_EQUAL(more[static_cast<std::size_t>(2 * test.size - 1)], test.size - 1);
  } else {
    succeeds(status);
    CHECK_EQUAL(array.count, test.size == 1 ? 2 : 0);
  }
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(the_list_of_no_particles_may_be_null, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  wherry_particle_exchange exchange = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  succeeds(wherry_particle_exchange_create_by_owner(comm, nullptr, &exchange));
  const bool last = test.rank == test.size - 1;
  std::int64_t memory[] = {7};
  wherry_particle_array array{};
  array.data = memory;
  array.count = last ? 0 : 1;
  array.capacity = 1;
  array.type = WHERRY_INT64;
  wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
  choice.by = WHERRY_BY_OWNER;
  choice.owners = last ? nullptr : &test.rank;
  choice.list_count = array.count;
  succeeds(wherry_particle_exchange_run(exchange, &choice, 1, &array, nullptr));
  CHECK_EQUAL(array.count, last ? 0 : 1);
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(wrong_particles_are_errors_of_all_ranks, ranks(1, 2, 3)) {
  const bool last = test.rank == test.size - 1;
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_particle_exchange exchange = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  succeeds(wherry_process_grid_create(comm, 1, nullptr, &grid));
  const auto space = [&](const char* title, const char* words, auto change) {
    struct {
      wherry_particle_space space;
      wherry_particle_options options;
      wherry_particle_exchange* result;
    } all{{}, WHERRY_INIT(wherry_particle_options), &exchange};
    all.space.dimensions = 1;
    all.space.upper[0] = 1;
    if (last) change(all);
    fails(title, wherry_particle_exchange_create(grid, nullptr, &all.space, &all.options, all.result),
          WHERRY_ERROR_ARGUMENT, words);
    CHECK(exchange == nullptr);
  };
  space("dimensions", "'space' has 4 dimensions, expected 1 to 3", [](auto& all) { all.space.dimensions = 4; });
  space("order", "'options.order' is 5", [](auto& all) { all.options.order = 5; });
  space("options", "not set by WHERRY_INIT", [](auto& all) { all.options.struct_size = 0; });
  space("result", "'result' is NULL", [](auto& all) { all.result = nullptr; });
  wherry_particle_space one{};
  one.dimensions = 1;
  fails("volume", wherry_particle_exchange_create(grid, nullptr, &one, nullptr, &exchange), WHERRY_ERROR_ARGUMENT, "");
  one.upper[0] = 1;
  fails("space", wherry_particle_exchange_create(grid, nullptr, last ? nullptr : &one, nullptr, &exchange),
        WHERRY_ERROR_ARGUMENT, "'space' is NULL");
  if (test.size > 1) {
    const std::int64_t cells[] = {16};
    fails("cells", wherry_particle_exchange_create(grid, last ? cells : nullptr, &one, nullptr, &exchange),
          WHERRY_ERROR_MISMATCH, "whether there are 'cells'");
  }
  succeeds(wherry_particle_exchange_create(grid, nullptr, &one, nullptr, &exchange));

  const auto move = [&](const char* title, const char* words, auto change) {
    std::vector<double> x{0.5}, v{1};
    std::vector<std::int32_t> lengths{1};
    struct {
      std::vector<wherry_particle_array> arrays;
      int count = 2;
      wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
    } all;
    for (auto* const list : {&x, &v}) {
      auto array = wherry_growing_array(WHERRY_FLOAT64, 1);
      array.data = list->data();
      array.count = array.capacity = 1;
      array.grow = nullptr;
      all.arrays.push_back(array);
    }
    if (last) change(all);
    fails(title, wherry_particle_exchange_run(exchange, &all.choice, all.count, all.arrays.data(), nullptr),
          WHERRY_ERROR_ARGUMENT, words);
  };
  move("no arrays", "'array_count' is 0", [](auto& all) { all.count = 0; });
  move("type", "array 1 has the type", [](auto& all) { all.arrays[1].type = 0x7f000008; });
  move("count", "array 1 has -4 elements", [](auto& all) { all.arrays[1].count = -4; });
  move("data", "array 1 has elements, but its 'data' is NULL", [](auto& all) { all.arrays[1].data = nullptr; });
  move("role", "array 1 has the role 9", [](auto& all) { all.arrays[1].role = 9; });
  move("lengths", "expected integers of 4 or 8 bytes", [](auto& all) { all.arrays[1].role = WHERRY_LENGTHS; });
  move("values", "followed by one of values", [](auto& all) { all.arrays[1].role = WHERRY_VALUES; });
  move("no values", "no values follow", [](auto& all) {
    all.arrays[1].role = WHERRY_LENGTHS;
    all.arrays[1].type = WHERRY_INT64;
  });
  move("twice", "array 1 is array 0, too", [](auto& all) { all.arrays[1].data = all.arrays[0].data; });
  move("length", "array 1 has 0 elements, but array 0 has 1", [](auto& all) { all.arrays[1].count = 0; });
  move("coordinates", "array 0 has coordinates of the type", [](auto& all) { all.arrays[0].type = WHERRY_INT64; });
  move("choice", "'choice.by' is 8", [](auto& all) { all.choice.by = 8; });
  move("neither", "neither a list nor a function", [](auto& all) { all.choice.by = WHERRY_BY_OWNER; });
  move("both", "a list and a function", [](auto& all) {
    static const int owners[] = {0};
    all.choice.by = WHERRY_BY_OWNER;
    all.choice.owners = owners;
    all.choice.owner_of = [](std::int64_t, void*) { return 0; };
  });
  move("owners", "the owner of particle 0 is 99", [](auto& all) {
    all.choice.by = WHERRY_BY_OWNER;
    all.choice.owner_of = [](std::int64_t, void*) { return 99; };
  });
  move("leavers", "'choice.leavers' has the type", [](auto& all) {
    all.choice.leavers.type = WHERRY_FLOAT64;
    all.choice.leavers.count = 1;
  });
  move("a mask", "the mask has 3 elements for 1 particles", [](auto& all) {
    static const unsigned char mask[] = {0, 1, 0};
    all.choice.leavers = {mask, 3, WHERRY_UINT8};
  });
  move("a list", "entry 0 of the list of leavers is 5", [](auto& all) {
    static const std::int64_t list[] = {5};
    all.choice.leavers = wherry_int64s(list, 1);
  });
  move("a structure", "'positions.offsets[0]' is 12", [](auto& all) {
    all.choice.positions.in_structures = 1;
    all.choice.positions.type = WHERRY_FLOAT64;
    all.choice.positions.offsets[0] = 12;
  });
  move("outside", "outside the space", [](auto& all) { *static_cast<double*>(all.arrays[0].data) = 7; });

  // Ghosts.
  wherry_ghost_particles ghosts = nullptr;
  fails("cut-off", wherry_ghost_particles_create(exchange, -1, nullptr, &ghosts), WHERRY_ERROR_ARGUMENT,
        "the cut-off is -1");
  fails("result", wherry_ghost_particles_create(exchange, 0.1, nullptr, last ? nullptr : &ghosts),
        WHERRY_ERROR_ARGUMENT, "'result' is NULL");
  succeeds(wherry_ghost_particles_create(exchange, 0.1, nullptr, &ghosts));
  arrays x{{WHERRY_FLOAT64, 1}};
  if (last) x.list[0].role = WHERRY_LENGTHS;
  fails("role of ghosts", wherry_ghost_particles_plan(ghosts, nullptr, 1, x.data()), WHERRY_ERROR_ARGUMENT, "");
  x.list[0].role = WHERRY_ONE_EACH;
  fails("before the plan", wherry_ghost_particles_fill(ghosts, 1, x.data()), WHERRY_ERROR_STATE, "call 'plan' first");
  succeeds(wherry_ghost_particles_plan(ghosts, nullptr, 1, x.data()));
  fails("ghost", wherry_ghost_particles_owner_of(ghosts, -1, &x.list[0].components), WHERRY_ERROR_ARGUMENT,
        "'k' is -1");
  fails("nothing started", wherry_ghost_particles_wait(ghosts), WHERRY_ERROR_STATE, "under way");
  x.list[0].member_type = WHERRY_FLOAT64;
  x.list[0].member_offset = 4;
  fails("member", wherry_ghost_particles_fill(ghosts, 1, x.data()), WHERRY_ERROR_ARGUMENT,
        "the member of array 0 reaches beyond the 8 bytes");
  auto freed = ghosts;
  succeeds(wherry_ghost_particles_free(&ghosts));
  fails("freed ghosts", wherry_ghost_particles_wait(freed), WHERRY_ERROR_ARGUMENT, "is no wherry_ghost_particles");
  fails("no move", wherry_particle_exchange_wait(exchange, nullptr), WHERRY_ERROR_STATE, "no move is under way");
  auto copy = exchange;
  succeeds(wherry_particle_exchange_free(&exchange));
  fails("freed", wherry_particle_exchange_wait(copy, nullptr), WHERRY_ERROR_ARGUMENT, "is no wherry_particle_exchange");
  fails("null", wherry_particle_exchange_create(nullptr, nullptr, &one, nullptr, &exchange), WHERRY_ERROR_ARGUMENT,
        "'grid' is NULL");
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}

// By `neighbors_only`, the ranks around the culprit hear of its error; here these are all ranks.
WHERRY_TEST(wrong_particles_among_neighbors_are_errors_of_all_ranks, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_particle_exchange exchange = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
  wherry_particle_space space{};
  space.dimensions = 1;
  space.upper[0] = 1;
  wherry_particle_options options = WHERRY_INIT(wherry_particle_options);
  options.neighbors_only = 1;
  succeeds(wherry_particle_exchange_create(grid, nullptr, &space, &options, &exchange));
  arrays x{{WHERRY_FLOAT64, 1}};
  x.resize(1);
  *x.of<double>(0) = 0.25;
  const bool last = test.rank == test.size - 1;
  fails("no arrays", wherry_particle_exchange_run(exchange, nullptr, last ? 0 : 1, x.data(), nullptr),
        WHERRY_ERROR_ARGUMENT, last ? "'array_count' is 0" : "cannot take part, and reports why on its own");
  CHECK_EQUAL(x.list[0].count, 1);
  // The next move works.
  wherry_particle_move moved{};
  succeeds(wherry_particle_exchange_run(exchange, nullptr, 1, x.data(), &moved));
  int owner = -1;
  const double at = 0.25;
  succeeds(wherry_particle_exchange_owner_of(exchange, &at, &owner));
  CHECK_EQUAL(moved.count, test.rank == owner ? test.size : 0);
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}
