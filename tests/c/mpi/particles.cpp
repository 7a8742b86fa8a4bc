// Particles and their ghosts by the C interface, against the owners and distances that each rank can work out.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "wherry.h"

#include "c/particle_world.hpp"
#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

WHERRY_TEST(particles_go_to_their_owners, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  constexpr int cases = 12;
  for (int number = 0; number < cases; ++number) {
    const int n = 1 + number % 3;
    const bool together = number % 2 == 1 && n > 1;
    const auto title = "case " + std::to_string(number);
    test.note(title);
    world one(test, random, n, number % 4 < 2 ? WHERRY_PARTICLES_STABLE : WHERRY_PARTICLES_FILL_HOLES);
    const auto where = one.positions(random, 80);
    // Particle i begins on rank i % ranks, some a period beyond the edge.
    std::vector<int> mine;
    for (int i = test.rank; i < 80 && number != 3; i += test.size) mine.push_back(i);
    arrays all{};
    for (int d = 0; d < (together ? 1 : n); ++d)
      all.list.push_back(wherry_growing_array(WHERRY_FLOAT64, together ? n : 0));
    all.list.push_back(wherry_growing_array(WHERRY_INT64, 1));
    all.list.push_back(wherry_growing_array(WHERRY_FLOAT32, 3));
    all.resize(static_cast<std::int64_t>(mine.size()));
    const auto at = [&](int d, std::size_t i) -> double& {
      return together ? all.of<double>(0)[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(d)]
                      : all.of<double>(static_cast<std::size_t>(d))[i];
    };
    const auto numbers = all.list.size() - 2;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      for (int d = 0; d < n; ++d) {
        at(d, i) = where[static_cast<std::size_t>(mine[i])][static_cast<std::size_t>(d)];
        if (one.periodic[static_cast<std::size_t>(d)] != 0 && mine[i] % 5 == 0)
          at(d, i) += one.lengths[static_cast<std::size_t>(d)];
      }
      all.of<std::int64_t>(numbers)[i] = mine[i];
      for (std::size_t c = 0; c < 3; ++c) all.of<float>(numbers + 1)[3 * i + c] = static_cast<float>(mine[i] + int(c));
    }
    wherry_particle_move moved{};
    if (number % 2 == 0) {
      succeeds(wherry_particle_exchange_run(one.exchange, nullptr, all.size(), all.data(), &moved), title);
    } else {
      succeeds(wherry_particle_exchange_start(one.exchange, nullptr, all.size(), all.data()), title);
      fails("twice", wherry_particle_exchange_start(one.exchange, nullptr, all.size(), all.data()), WHERRY_ERROR_STATE,
            "under way");
      int done = 0;
      while (done == 0) succeeds(wherry_particle_exchange_test(one.exchange, &done), title);
      succeeds(wherry_particle_exchange_wait(one.exchange, &moved), title);
    }
    std::set<std::int64_t> here, wanted;
    for (std::size_t i = 0; i < where.size(); ++i)
      if (number != 3 && one.owner_of(where[i]) == test.rank) wanted.insert(static_cast<std::int64_t>(i));
    CHECK_EQUAL(moved.count, all.list[0].count);
    int wrong = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(moved.count); ++i) {
      const auto id = all.of<std::int64_t>(numbers)[i];
      here.insert(id);
      for (int d = 0; d < n; ++d)
        wrong += std::abs(at(d, i) - where[static_cast<std::size_t>(id)][static_cast<std::size_t>(d)]) > 1e-9 ? 1 : 0;
      for (std::size_t c = 0; c < 3; ++c)
        wrong += all.of<float>(numbers + 1)[3 * i + c] != static_cast<float>(id + int(c)) ? 1 : 0;
    }
    CHECK_EQUAL(wrong, 0);
    CHECK(here == wanted);
    CHECK_EQUAL(here.size(), static_cast<std::size_t>(moved.count));
    for (const auto& array : all.list) CHECK_EQUAL(array.count, moved.count);
    CHECK_EQUAL(static_cast<std::int64_t>(mine.size()) - moved.left + moved.arrived, moved.count);
    // Another array, by the order of the particles.
    const std::int64_t* order = nullptr;
    std::int64_t count = -1;
    succeeds(wherry_particle_exchange_permutation(one.exchange, &order, &count));
    CHECK_EQUAL(count, moved.count);
    for (std::int64_t i = 0; i < count; ++i)
      if (order[i] >= 0) CHECK_EQUAL(all.of<std::int64_t>(numbers)[i], mine[static_cast<std::size_t>(order[i])]);
    // Owners and cells of positions.
    for (const auto& x : where) {
      int rank = -1;
      std::vector<std::int64_t> cell(static_cast<std::size_t>(n), -1);
      succeeds(wherry_particle_exchange_owner_of(one.exchange, x.data(), &rank));
      CHECK_EQUAL(rank, one.owner_of(x));
      succeeds(wherry_particle_exchange_cell_of(one.exchange, x.data(), cell.data()));
      int owner = -1;
      succeeds(wherry_owner_of(one.grid, n, cell.data(), one.cells.data(), &owner));
      CHECK_EQUAL(owner, rank);
    }
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(particles_go_where_the_program_says, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  wherry_particle_exchange exchange = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  wherry_particle_options how = WHERRY_INIT(wherry_particle_options);
  how.order = WHERRY_PARTICLES_STABLE;
  succeeds(wherry_particle_exchange_create_by_owner(comm, &how, &exchange));
  constexpr std::int64_t count = 12;
  // Each particle has as many values as its number says, modulo 3.
  const auto fresh = [&](arrays& all) {
    all.resize(count);
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
      all.of<std::int64_t>(0)[i] = 100 * test.rank + i;
      all.of<std::int32_t>(1)[i] = static_cast<std::int32_t>(i % 3);
      for (std::int64_t k = 0; k < i % 3; ++k)
        values.push_back(static_cast<double>(100 * test.rank + i) + 0.1 * static_cast<double>(k));
    }
    auto& ragged = all.list[2];
    ragged.count = ragged.capacity = static_cast<std::int64_t>(values.size());
    std::ranges::copy(values, all.of<double>(2));
    all.list[1].role = WHERRY_LENGTHS;
    ragged.role = WHERRY_VALUES;
  };
  const auto check = [&](arrays& all, auto goes_to, const char* title) {
    std::vector<std::int64_t> wanted;
    std::vector<double> values;
    const auto take = [&](int from) {
      for (std::int64_t i = 0; i < count; ++i)
        if (goes_to(from, i) == test.rank) wanted.push_back(100 * from + i);
    };
    take(test.rank);
    for (int from = 0; from < test.size; ++from)
      if (from != test.rank) take(from);
    for (const auto id : wanted)
      for (std::int64_t k = 0; k < id % 100 % 3; ++k)
        values.push_back(static_cast<double>(id) + 0.1 * static_cast<double>(k));
    const std::vector<std::int64_t> ids(all.of<std::int64_t>(0), all.of<std::int64_t>(0) + all.list[0].count);
    const std::vector<double> have(all.of<double>(2), all.of<double>(2) + all.list[2].count);
    test.note(title);
    CHECK_EQUAL(ids, wanted);
    CHECK_EQUAL(have, values);
  };
  const auto ring = [&](int from, std::int64_t i) { return static_cast<int>((from + i) % test.size); };
  // A list of owners.
  std::vector<int> owners;
  for (std::int64_t i = 0; i < count; ++i) owners.push_back(ring(test.rank, i));
  wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
  choice.by = WHERRY_BY_OWNER;
  choice.owners = owners.data();
  choice.list_count = count;
  {
    arrays all{{WHERRY_INT64, 1}, {WHERRY_INT32, 1}, {WHERRY_FLOAT64, 1}};
    fresh(all);
    succeeds(wherry_particle_exchange_run(exchange, &choice, all.size(), all.data(), nullptr));
    check(all, ring, "owners");
  }
  // Some leavers, as a list and as a mask.
  const std::int32_t list[] = {3, 1, 7};
  std::vector<unsigned char> mask(count, 0);
  for (const auto i : list) mask[static_cast<std::size_t>(i)] = 1;
  const auto some = [&](int from, std::int64_t i) { return i == 1 || i == 3 || i == 7 ? ring(from, i) : from; };
  // WHERRY_CHECK would find that the others leave, too.
  for (std::int64_t i = 0; i < count; ++i) owners[static_cast<std::size_t>(i)] = some(test.rank, i);
  for (const bool is_mask : {false, true}) {
    arrays all{{WHERRY_INT64, 1}, {WHERRY_INT32, 1}, {WHERRY_FLOAT64, 1}};
    fresh(all);
    choice.leavers = wherry_int32s(list, 3);
    if (is_mask) choice.leavers = {mask.data(), count, WHERRY_UINT8};
    succeeds(wherry_particle_exchange_run(exchange, &choice, all.size(), all.data(), nullptr));
    check(all, some, "leavers");
  }
  // A function.
  choice = WHERRY_INIT(wherry_particle_choice);
  choice.by = WHERRY_BY_OWNER;
  choice.owner_of = [](std::int64_t, void* context) { return *static_cast<int*>(context); };
  int target = test.size - 1;
  choice.context = &target;
  {
    arrays all{{WHERRY_INT64, 1}, {WHERRY_INT32, 1}, {WHERRY_FLOAT64, 1}};
    fresh(all);
    succeeds(wherry_particle_exchange_run(exchange, &choice, all.size(), all.data(), nullptr));
    check(all, [&](int, std::int64_t) { return test.size - 1; }, "a function");
  }
  fails("no space", wherry_particle_exchange_owner_of(exchange, std::vector<double>(3).data(), &target),
        WHERRY_ERROR_STATE, "without a space");
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(particles_go_to_the_owners_of_cells, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  for (const int n : {1, 2, 3}) {
    world one(test, random, n, WHERRY_PARTICLES_STABLE);
    std::vector<std::int64_t> cells;
    for (int i = 0; i < 10 * n; ++i) {
      const auto most = one.cells[static_cast<std::size_t>(i % n)] - 1;
      cells.push_back(std::uniform_int_distribution<std::int64_t>(0, most)(random));
    }
    wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
    choice.by = WHERRY_BY_CELL;
    struct looked_up {
      const std::vector<std::int64_t>* cells;
      int n;
    } table{&cells, n};
    for (const bool by_function : {false, true}) {
      choice.cells = by_function ? nullptr : cells.data();
      choice.list_count = by_function ? 0 : 10;
      choice.cell_of = nullptr;
      if (by_function) {
        choice.context = &table;
        choice.cell_of = [](std::int64_t particle, std::int64_t* cell, void* context) {
          const auto& all = *static_cast<looked_up*>(context);
          for (int d = 0; d < all.n; ++d) cell[d] = (*all.cells)[static_cast<std::size_t>(particle * all.n + d)];
        };
      }
      arrays all{{WHERRY_INT32, 1}};
      all.resize(10);
      for (int i = 0; i < 10; ++i) all.of<std::int32_t>(0)[i] = i;
      succeeds(wherry_particle_exchange_run(one.exchange, &choice, 1, all.data(), nullptr));
      std::multiset<int> wanted;
      for (int i = 0; i < 10; ++i) {
        int owner = -1;
        succeeds(
            wherry_owner_of(one.grid, n, cells.data() + static_cast<std::ptrdiff_t>(i) * n, one.cells.data(), &owner));
        for (int r = 0; r < test.size && owner == test.rank; ++r) wanted.insert(i);
      }
      CHECK(std::multiset<int>(all.of<std::int32_t>(0), all.of<std::int32_t>(0) + all.list[0].count) == wanted);
    }
  }
}

WHERRY_TEST(spaces_of_other_shapes, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1, 1}, ranks_along[] = {test.size, 1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  shape.extents = ranks_along;
  succeeds(wherry_process_grid_create(comm, 2, &shape, &grid));
  for (const bool by_function : {false, true}) {
    // A sheared cell, whose first side has the length of the number of ranks; and polar-like bounds.
    wherry_particle_space space{};
    space.dimensions = 2;
    space.edges[0][0] = test.size;
    space.edges[1][0] = 0.5;
    space.edges[1][1] = 1;
    double length = test.size;
    if (by_function) {
      space.context = &length;
      space.fractions = [](const double* x, double* f, void* context) {
        f[0] = (x[0] - 0.5 * x[1]) / *static_cast<double*>(context);
        f[1] = x[1];
      };
    }
    wherry_particle_options options = WHERRY_INIT(wherry_particle_options);
    options.neighbors_only = 1;
    wherry_particle_exchange exchange = nullptr;
    succeeds(wherry_particle_exchange_create(grid, nullptr, &space, &options, &exchange));
    const int* ranks = nullptr;
    int count = -1;
    succeeds(wherry_particle_exchange_neighbors(exchange, &ranks, &count));
    CHECK_EQUAL(count, test.size - 1);
    const double at[] = {test.rank + 0.5 + 0.25, 0.5};
    int owner = -1;
    succeeds(wherry_particle_exchange_owner_of(exchange, at, &owner));
    CHECK_EQUAL(owner, test.rank);
    arrays all{{WHERRY_FLOAT64, 2}};
    all.resize(1);
    // Above the upper edge, on the rank to the right.
    all.of<double>(0)[0] = test.rank + 1.25 + 0.25 + 0.5;
    all.of<double>(0)[1] = 1.5;
    succeeds(wherry_particle_exchange_run(exchange, nullptr, 1, all.data(), nullptr));
    REQUIRE(all.list[0].count == 1);
    CHECK(std::abs(all.of<double>(0)[0] - (test.rank + 0.25 + 0.25)) < 1e-12);
    CHECK(std::abs(all.of<double>(0)[1] - 0.5) < 1e-12);
    succeeds(wherry_particle_exchange_free(&exchange));
  }
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(particles_go_to_the_owners_of_boxes, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  // Eight by eight cells in boxes of two by two, each with any owner.
  std::vector<wherry_box> boxes;
  std::vector<int> owners;
  for (int y = 0; y < 8; y += 2)
    for (int x = 0; x < 8; x += 2) {
      wherry_box one{};
      one.dimensions = 2;
      one.lower[0] = x;
      one.lower[1] = y;
      one.upper[0] = x + 2;
      one.upper[1] = y + 2;
      boxes.push_back(one);
      owners.push_back(std::uniform_int_distribution<int>(0, test.size - 1)(random));
    }
  wherry_floor_plan plan = nullptr;
  succeeds(wherry_floor_plan_create(2, 16, boxes.data(), owners.data(), &plan));
  wherry_domain cells{};
  cells.cells.dimensions = 2;
  cells.cells.upper[0] = cells.cells.upper[1] = 8;
  cells.periodic[0] = 1;
  wherry_particle_space space{};
  space.dimensions = 2;
  space.upper[0] = space.upper[1] = 4;
  wherry_particle_exchange exchange = nullptr;
  const bool last = test.rank == test.size - 1;
  fails("no plan",
        wherry_particle_exchange_create_on_plan(comm, last ? nullptr : plan, &cells, &space, nullptr, &exchange),
        WHERRY_ERROR_ARGUMENT, "'plan' is NULL");
  fails("no cells",
        wherry_particle_exchange_create_on_plan(comm, plan, last ? nullptr : &cells, &space, nullptr, &exchange),
        WHERRY_ERROR_ARGUMENT, "'cells' is NULL");
  auto wrong = space;
  if (last) wrong.dimensions = 4;
  fails("dimensions", wherry_particle_exchange_create_on_plan(comm, plan, &cells, &wrong, nullptr, &exchange),
        WHERRY_ERROR_ARGUMENT, "'space' has 4 dimensions");
  succeeds(wherry_particle_exchange_create_on_plan(comm, plan, &cells, &space, nullptr, &exchange));
  succeeds(wherry_floor_plan_free(&plan));
  // Each rank gives a particle in the middle of each box, half of them a period too far.
  arrays all{{WHERRY_FLOAT64, 2}, {WHERRY_INT32, 1}};
  all.resize(16);
  for (int b = 0; b < 16; ++b) {
    all.of<double>(0)[2 * b] = b % 4 + 0.5 + (b % 3 == 0 ? 4 : 0);
    all.of<double>(0)[2 * b + 1] = static_cast<double>(b / 4) + 0.5;
    all.of<std::int32_t>(1)[b] = b;
  }
  succeeds(wherry_particle_exchange_run(exchange, nullptr, 2, all.data(), nullptr));
  CHECK_EQUAL(all.list[1].count, test.size * std::ranges::count(owners, test.rank));
  for (std::int64_t i = 0; i < all.list[1].count; ++i) {
    const auto b = all.of<std::int32_t>(1)[i];
    CHECK_EQUAL(owners[static_cast<std::size_t>(b)], test.rank);
    CHECK_EQUAL(all.of<double>(0)[2 * i], b % 4 + 0.5);
  }
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_communicator_free(&comm));
}
