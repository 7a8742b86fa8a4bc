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

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

/// Arrays that grow by `realloc`, and are freed at the end.
struct arrays {
  std::vector<wherry_particle_array> list;

  explicit arrays(std::initializer_list<std::pair<wherry_type, int>> types) {
    for (const auto& [type, components] : types) list.push_back(wherry_growing_array(type, components));
  }
  arrays(const arrays&) = delete;
  arrays& operator=(const arrays&) = delete;
  ~arrays() {
    for (auto& one : list) std::free(one.data);
  }

  int size() const { return static_cast<int>(list.size()); }
  wherry_particle_array* data() { return list.data(); }
  template <class T> T* of(std::size_t array) { return static_cast<T*>(list[array].data); }
  /// Makes all arrays of this length.
  void resize(std::int64_t count) {
    for (auto& one : list) {
      const auto bytes = static_cast<std::size_t>(count) * (one.type & 0xffffffU) *
                         static_cast<std::size_t>(std::max(one.components, 1));
      one.data = wherry_reallocate(one.data, bytes, nullptr);
      one.count = one.capacity = count;
    }
  }
};

/// A box of space over a grid of ranks.
struct world {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_particle_exchange exchange = nullptr;
  int dimensions;
  std::vector<int> periodic;
  std::vector<std::int64_t> cells;
  std::vector<double> lengths;

  world(const context& test, std::mt19937_64& random, int of, wherry_particle_order order, bool everywhere = false)
      : dimensions(of) {
    const auto pick = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
    wherry_particle_space space{};
    space.dimensions = dimensions;
    for (int d = 0; d < dimensions; ++d) {
      periodic.push_back(everywhere ? 1 : pick(0, 1));
      cells.push_back(pick(1, 4) * test.size);
      lengths.push_back(pick(1, 8));
      space.lower[d] = 0;
      space.upper[d] = lengths.back();
    }
    succeeds(wherry_communicator_create(test.comm, &comm));
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = periodic.data();
    succeeds(wherry_process_grid_create(comm, dimensions, &shape, &grid));
    wherry_particle_options options = WHERRY_INIT(wherry_particle_options);
    options.order = order;
    succeeds(wherry_particle_exchange_create(grid, cells.data(), &space, &options, &exchange));
  }
  world(const world&) = delete;
  world& operator=(const world&) = delete;
  ~world() {
    wherry_particle_exchange_free(&exchange);
    wherry_process_grid_free(&grid);
    wherry_communicator_free(&comm);
  }

  /// The rank that owns a position inside the space, by the grid.
  int owner_of(const std::vector<double>& x) const {
    std::vector<std::int64_t> cell;
    for (std::size_t d = 0; d < x.size(); ++d)
      cell.push_back(static_cast<std::int64_t>(std::floor(x[d] / lengths[d] * static_cast<double>(cells[d]))));
    int rank = -1;
    succeeds(wherry_owner_of(grid, dimensions, cell.data(), cells.data(), &rank));
    return rank;
  }
  /// The positions of `count` particles with the same numbers on all ranks. They lie in the middle of fine cells.
  std::vector<std::vector<double>> positions(std::mt19937_64& random, int count) const {
    std::vector<std::vector<double>> result;
    for (int i = 0; i < count; ++i) {
      auto& x = result.emplace_back();
      for (int d = 0; d < dimensions; ++d) {
        const auto fine = 64 * cells[static_cast<std::size_t>(d)];
        const auto k = std::uniform_int_distribution<std::int64_t>(0, fine - 1)(random);
        x.push_back((static_cast<double>(k) + 0.5) / static_cast<double>(fine) * lengths[static_cast<std::size_t>(d)]);
      }
    }
    return result;
  }
};

}  // namespace

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
    for (int d = 0; d < (together ? 1 : n); ++d) all.list.push_back(wherry_growing_array(WHERRY_FLOAT64, together ? n : 0));
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
      if (order[i] >= 0)
        CHECK_EQUAL(all.of<std::int64_t>(numbers)[i], mine[static_cast<std::size_t>(order[i])]);
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
      for (std::int64_t k = 0; k < i % 3; ++k) values.push_back(static_cast<double>(100 * test.rank + i) + 0.1 * static_cast<double>(k));
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
      for (std::int64_t k = 0; k < id % 100 % 3; ++k) values.push_back(static_cast<double>(id) + 0.1 * static_cast<double>(k));
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
  const auto some = [&](int from, std::int64_t i) {
    return i == 1 || i == 3 || i == 7 ? ring(from, i) : from;
  };
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
        succeeds(wherry_owner_of(one.grid, n, cells.data() + static_cast<std::ptrdiff_t>(i) * n, one.cells.data(), &owner));
        for (int r = 0; r < test.size && owner == test.rank; ++r) wanted.insert(i);
      }
      CHECK(std::multiset<int>(all.of<std::int32_t>(0), all.of<std::int32_t>(0) + all.list[0].count) == wanted);
    }
  }
}

WHERRY_TEST(ghosts_are_the_particles_within_the_cutoff, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  constexpr int cases = 6;
  for (int number = 0; number < cases; ++number) {
    test.note("case " + std::to_string(number));
    const int n = 1 + number % 3;
    world one(test, random, n, WHERRY_PARTICLES_FILL_HOLES, true);
    // Two particles of different ranks that are closer than the cut-off: each has a ghost of the other's.
    const auto where = one.positions(random, 60);
    arrays x{}, rest{{WHERRY_INT64, 1}};
    for (int d = 0; d < n; ++d) x.list.push_back(wherry_growing_array(WHERRY_FLOAT64, 1));
    x.resize(test.rank == 0 ? 60 : 0);
    rest.resize(test.rank == 0 ? 60 : 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(x.list[0].count); ++i) {
      for (int d = 0; d < n; ++d) x.of<double>(static_cast<std::size_t>(d))[i] = where[i][static_cast<std::size_t>(d)];
      rest.of<std::int64_t>(0)[i] = static_cast<std::int64_t>(i);
    }
    std::vector<wherry_particle_array> all = x.list;
    all.push_back(rest.list[0]);
    const auto give_back = [&] {
      std::copy_n(all.begin(), n, x.list.begin());
      rest.list[0] = all.back();
    };
    const auto count = static_cast<int>(all.size());
    succeeds(wherry_particle_exchange_run(one.exchange, nullptr, count, all.data(), nullptr));
    give_back();
    const double cutoff = 0.3 * *std::ranges::min_element(one.lengths);
    wherry_ghost_particles ghosts = nullptr;
    succeeds(wherry_ghost_particles_create(one.exchange, cutoff, nullptr, &ghosts));
    succeeds(wherry_ghost_particles_plan(ghosts, nullptr, count, all.data()));
    give_back();
    std::int64_t owned = -1, copies = -1;
    succeeds(wherry_ghost_particles_count(ghosts, &owned, &copies));
    for (const auto& array : all) CHECK_EQUAL(array.count, owned + copies);
    // Each pair of an own particle and the image of another one within the cut-off is there.
    std::multiset<std::pair<std::int64_t, std::int64_t>> found, wanted;
    const auto square = [&](std::int64_t i, auto&& other) {
      double sum = 0;
      for (int d = 0; d < n; ++d)
        sum += std::pow(x.of<double>(static_cast<std::size_t>(d))[i] - other(static_cast<std::size_t>(d)), 2);
      return sum;
    };
    for (std::int64_t i = 0; i < owned; ++i) {
      const auto id = rest.of<std::int64_t>(0)[i];
      for (std::int64_t j = 0; j < owned + copies; ++j)
        if (i != j && square(i, [&](std::size_t d) { return x.of<double>(d)[j]; }) < cutoff * cutoff)
          found.emplace(id, rest.of<std::int64_t>(0)[j]);
      for (std::int64_t other = 0; other < 60; ++other)
        for (int image = 0; image < 27; ++image) {
          const int shift[] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
          bool is_an_image = true;
          for (int d = n; d < 3; ++d) is_an_image = is_an_image && shift[d] == 0;
          if (!is_an_image || (other == id && shift[0] == 0 && shift[1] == 0 && shift[2] == 0)) continue;
          if (square(i, [&](std::size_t d) {
                return where[static_cast<std::size_t>(other)][d] + shift[d] * one.lengths[d];
              }) < cutoff * cutoff)
            wanted.emplace(id, other);
        }
    }
    CHECK(found == wanted);
    for (std::int64_t k = 0; k < copies; ++k) {
      int owner = -1;
      succeeds(wherry_ghost_particles_owner_of(ghosts, k, &owner));
      CHECK_EQUAL(owner, one.owner_of(where[static_cast<std::size_t>(rest.of<std::int64_t>(0)[owned + k])]));
    }
    // All particles are shifted by the same distance, and each ghost follows its owner.
    const std::vector<double> first(x.of<double>(0), x.of<double>(0) + x.list[0].count);
    const double step = 1e-3;
    for (std::int64_t i = 0; i < owned; ++i) x.of<double>(0)[i] += step;
    succeeds(wherry_ghost_particles_start_fill_positions(ghosts, nullptr, n, x.data()));
    int done = 0;
    while (done == 0) succeeds(wherry_ghost_particles_test(ghosts, &done));
    succeeds(wherry_ghost_particles_wait(ghosts));
    int wrong = 0;
    for (std::size_t i = 0; i < first.size(); ++i) wrong += std::abs(x.of<double>(0)[i] - first[i] - step) > 1e-9 ? 1 : 0;
    CHECK_EQUAL(wrong, 0);
    // A force of 1 on each copy: the owner has 1 and the number of its copies.
    arrays forces{{WHERRY_FLOAT64, 1}};
    succeeds(wherry_ghost_particles_resize(ghosts, 1, forces.data()));
    std::fill_n(forces.of<double>(0), owned + copies, 1.0);
    succeeds(wherry_ghost_particles_sum_back(ghosts, 1, forces.data()));
    std::map<std::int64_t, double> mine;
    for (std::int64_t i = 0; i < owned; ++i) mine[rest.of<std::int64_t>(0)[i]] = forces.of<double>(0)[i];
    std::vector<int> of_all(60, 0), sums(60, 0);
    for (std::int64_t k = 0; k < owned + copies; ++k) ++of_all[static_cast<std::size_t>(rest.of<std::int64_t>(0)[k])];
    MPI_Allreduce(of_all.data(), sums.data(), 60, MPI_INT, MPI_SUM, test.comm);
    for (const auto& [id, force] : mine) CHECK_EQUAL(force, static_cast<double>(sums[static_cast<std::size_t>(id)]));
    // The other half of the calls.
    std::fill_n(forces.of<double>(0), owned, 2.0);
    succeeds(wherry_ghost_particles_fill(ghosts, 1, forces.data()));
    for (std::int64_t k = 0; k < owned + copies; ++k) CHECK_EQUAL(forces.of<double>(0)[k], 2.0);
    succeeds(wherry_ghost_particles_start_sum_back(ghosts, 1, forces.data()));
    succeeds(wherry_ghost_particles_wait(ghosts));
    succeeds(wherry_ghost_particles_start_fill(ghosts, 1, forces.data()));
    succeeds(wherry_ghost_particles_wait(ghosts));
    all = x.list;
    all.push_back(rest.list[0]);
    if (copies > 0)
      fails("still ghosts", wherry_ghost_particles_fill_positions(ghosts, nullptr, 0, nullptr), WHERRY_ERROR_ARGUMENT,
            "'array_count' is 0");
    succeeds(wherry_ghost_particles_drop(ghosts, count, all.data()));
    give_back();
    CHECK_EQUAL(x.list[0].count, owned);
    CHECK_EQUAL(rest.list[0].count, owned);
    succeeds(wherry_ghost_particles_free(&ghosts));
  }
  test.count_cases(cases, cases);
}

WHERRY_TEST(structures_move_and_have_ghosts, ranks(1, 2, 3, 4)) {
  struct particle {
    std::int32_t id;
    float x, y;
    double force;
  };
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  wherry_particle_exchange exchange = nullptr;
  wherry_ghost_particles ghosts = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1, 1}, ranks_along[] = {test.size, 1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  shape.extents = ranks_along;
  succeeds(wherry_process_grid_create(comm, 2, &shape, &grid));
  wherry_particle_space space{};
  space.dimensions = 2;
  space.upper[0] = test.size;
  space.upper[1] = 1;
  succeeds(wherry_particle_exchange_create(grid, nullptr, &space, nullptr, &exchange));
  arrays all{{wherry_bytes(sizeof(particle)), 1}};
  all.resize(1);
  // A particle in the middle of each rank's square, which begins on the rank to the left.
  *all.of<particle>(0) = {test.rank, static_cast<float>((test.rank + 1) % test.size) + 0.5F, 0.5F, 1};
  wherry_particle_choice choice = WHERRY_INIT(wherry_particle_choice);
  choice.positions.in_structures = 1;
  choice.positions.type = WHERRY_FLOAT32;
  choice.positions.offsets[0] = offsetof(particle, x);
  choice.positions.offsets[1] = offsetof(particle, y);
  wherry_particle_move moved{};
  succeeds(wherry_particle_exchange_run(exchange, &choice, 1, all.data(), &moved));
  CHECK_EQUAL(moved.count, 1);
  CHECK_EQUAL(all.of<particle>(0)->id, (test.rank + test.size - 1) % test.size);
  CHECK_EQUAL(all.of<particle>(0)->x, static_cast<float>(test.rank) + 0.5F);
  succeeds(wherry_ghost_particles_create(exchange, 0.6, nullptr, &ghosts));
  succeeds(wherry_ghost_particles_plan(ghosts, &choice.positions, 1, all.data()));
  // Left and right, above and below, and no corners.
  std::int64_t copies = 0;
  succeeds(wherry_ghost_particles_count(ghosts, nullptr, &copies));
  CHECK_EQUAL(copies, 4);
  REQUIRE(all.list[0].count == 5);
  all.of<particle>(0)->y = 0.25F;
  all.of<particle>(0)->id = 70;
  succeeds(wherry_ghost_particles_fill_positions(ghosts, &choice.positions, 1, all.data()));
  for (int k = 1; k < 5; ++k) {
    CHECK(all.of<particle>(0)[k].id != 70);  // of structures, only the positions are filled
    const auto y = all.of<particle>(0)[k].y;
    CHECK(y == 0.25F || y == 1.25F || y == -0.75F);
  }
  // One member is summed.
  all.list[0].member_offset = offsetof(particle, force);
  all.list[0].member_type = WHERRY_FLOAT64;
  for (int k = 0; k < 5; ++k) all.of<particle>(0)[k].force = 3;
  succeeds(wherry_ghost_particles_sum_back(ghosts, 1, all.data()));
  CHECK_EQUAL(all.of<particle>(0)->force, 15.0);
  CHECK_EQUAL(all.of<particle>(0)->y, 0.25F);
  succeeds(wherry_ghost_particles_drop(ghosts, 1, all.data()));
  CHECK_EQUAL(all.list[0].count, 1);
  succeeds(wherry_ghost_particles_free(&ghosts));
  succeeds(wherry_particle_exchange_free(&exchange));
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
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
