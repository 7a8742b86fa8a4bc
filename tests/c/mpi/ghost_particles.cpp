// Ghosts of particles by the C interface, against all pairs of particles and their images.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wherry.h"

#include "c/particle_world.hpp"
#include "c/says.hpp"
#include "harness/harness.hpp"

using namespace wherry_test;

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
    for (std::size_t i = 0; i < first.size(); ++i)
      wrong += std::abs(x.of<double>(0)[i] - first[i] - step) > 1e-9 ? 1 : 0;
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
