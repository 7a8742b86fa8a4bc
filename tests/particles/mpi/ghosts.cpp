// Ghosts against a search through all particles and all their periodic images.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"
#include "support/with_setting.hpp"
#include "swarm.hpp"

using namespace wherry_test;

namespace {

/// An image of a particle on this rank; if it lies almost exactly at the cut-off, it may be missing.
template <int N, class Real> struct image_of {
  int owner;
  particle<N, Real> what;
  bool may_miss;
};

/// The square of the distance from a position to the nearest box of a rank.
template <int N>
double square_to(const world<N>& in, int rank, const std::array<double, static_cast<std::size_t>(N)>& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& b : in.boxes[static_cast<std::size_t>(rank)]) {
    double square = 0;
    for (std::size_t d = 0; d < N; ++d) {
      const double width = (in.upper[d] - in.lower[d]) / static_cast<double>(in.cells[d]);
      const double lower = in.lower[d] + width * static_cast<double>(b.lower[d] - in.first[d]);
      const double upper = in.lower[d] + width * static_cast<double>(b.upper[d] - in.first[d]);
      const double off = std::max({lower - x[d], x[d] - upper, 0.0});
      square += off * off;
    }
    if (!b.empty()) least = std::min(least, square);
  }
  return least;
}

template <int N, class Real>
std::vector<image_of<N, Real>> all_ghosts(const context& test, const world<N>& in, double cutoff,
                                          const std::vector<particle<N, Real>>& mine) {
  std::vector<image_of<N, Real>> result;
  const auto all = gathered(test.comm, mine);
  wherry::box<N> images;
  for (std::size_t d = 0; d < N; ++d) {
    const int most = in.periodic[d] ? static_cast<int>(std::ceil(cutoff / (in.upper[d] - in.lower[d]))) + 1 : 0;
    images.lower[d] = -most;
    images.upper[d] = most + 1;
  }
  std::vector<wherry::point<N>> in_order;
  wherry::for_each_point(images, [&](const auto& k) { in_order.push_back(k); });
  std::sort(in_order.begin(), in_order.end());
  const double near = cutoff * (1 - 1e-6) - 1e-6, far = cutoff * (1 + 1e-6) + 1e-6;
  for (int rank = 0; rank < test.size; ++rank)
    for (const auto& k : in_order)
      for (const auto& p : all[static_cast<std::size_t>(rank)]) {
        if (rank == test.rank && k == wherry::point<N>{}) continue;
        auto ghost = p;
        std::array<double, N> x;
        for (std::size_t d = 0; d < N; ++d) {
          x[d] = static_cast<double>(p.r[d]) + static_cast<double>(k[d]) * (in.upper[d] - in.lower[d]);
          ghost.r[d] = static_cast<Real>(x[d]);
        }
        const double distance = std::sqrt(square_to(in, test.rank, x));
        if (distance <= far) result.push_back({rank, ghost, distance > near});
      }
  return result;
}

double force_of(int rank, std::size_t ghost) {
  return static_cast<double>(hash(rank, ghost) % 1'000'003) * std::pow(10.0, static_cast<int>(hash(ghost, rank) % 9)) /
         7;
}

template <int N, class Real> void check_ghosts(const context& test, std::uint64_t seed) {
  random_numbers common(seed), random(hash(seed, test.rank));
  const auto said = "seed " + std::to_string(seed);
  world<N> in;
  auto migrate = random_exchange<N>(test, common, in, {});
  double shortest = 1e9;
  for (std::size_t d = 0; d < N; ++d) shortest = std::min(shortest, in.upper[d] - in.lower[d]);
  const double cutoff = shortest * (common.chance(10) ? 0 : common.chance(20) ? 1.3 : 0.01 * common.between(1, 40));
  wherry::ghost_particles<N> ghosts(migrate, cutoff);
  auto now = particles_in<N, Real>(in, test.rank, random.between(0, 60), random);
  for (int round = 0; round < 2; ++round) {
    const auto owned = now.size();
    auto structures = now;
    ghosts.plan(wherry::by_position(&particle<N, Real>::r), structures);
    CHECK_EQUAL(ghosts.owned(), owned);
    REQUIRE(structures.size() == owned + ghosts.count());
    const auto expected = all_ghosts<N, Real>(test, in, cutoff, now);
    std::size_t k = 0;
    for (const auto& one : expected) {
      const bool is_there = k < ghosts.count() && ghosts.owner_of(k) == one.owner && structures[owned + k] == one.what;
      if (is_there)
        ++k;
      else if (fault(!one.may_miss))
        FAIL(said + ": particle " + std::to_string(one.what.id) + " has no ghost at place " + std::to_string(k));
    }
    if (fault(k != ghosts.count())) FAIL(said + ": there are more ghosts");
    for (std::size_t i = 0; i < owned; ++i) CHECK(structures[i] == now[i]);

    // Arrays that were made later, and values that change.
    const auto all = owned + ghosts.count();
    std::array<std::vector<Real>, N> r;
    std::vector<std::int64_t> tag(all);
    std::vector<std::array<float, 2>> pair(all);
    for (auto& coordinate : r) coordinate.resize(all);
    for (std::size_t i = 0; i < owned; ++i) {
      for (std::size_t d = 0; d < N; ++d) r[d][i] = now[i].r[d];
      tag[i] = now[i].id * 3;
      pair[i] = {static_cast<float>(now[i].id), 0.5F};
    }
    ghosts.start_fill(tag, pair);
    ghosts.wait();
    if constexpr (N == 1) ghosts.fill(wherry::by_position(r[0]));
    if constexpr (N == 2) ghosts.fill(wherry::by_position(r[0], r[1]));
    if constexpr (N == 3) ghosts.fill(wherry::by_position(r[0], r[1], r[2]));
    bool right = true;
    for (std::size_t i = owned; i < all; ++i) {
      for (std::size_t d = 0; d < N; ++d) right = right && r[d][i] == structures[i].r[d];
      right = right && tag[i] == structures[i].id * 3 && pair[i][0] == static_cast<float>(structures[i].id);
    }
    if (fault(!right)) FAIL(said + ": other values");
    // Of structures the positions only.
    auto changed = structures;
    for (std::size_t i = owned; i < all; ++i) {
      changed[i].id = -5;
      changed[i].r.fill(Real(-77));
    }
    ghosts.fill(wherry::by_position(&particle<N, Real>::r), changed);
    for (std::size_t i = owned; i < all; ++i) CHECK(changed[i].r == structures[i].r && changed[i].id == -5);
    ghosts.fill(wherry::member_of(changed, &particle<N, Real>::id));
    CHECK(changed == structures);

    // Sums: of this rank's own images first, then in the order of the ranks.
    std::vector<double> force(all);
    std::vector<std::int64_t> count(all, 1);
    struct given {
      std::int64_t id;
      double force;
    };
    std::vector<given> mine;
    for (std::size_t i = 0; i < all; ++i) {
      force[i] = force_of(test.rank, i);
      if (i >= owned) mine.push_back({structures[i].id, force[i]});
    }
    auto sums = force;
    ghosts.sum_back(sums, count);
    const auto given_by_all = gathered(test.comm, mine);
    for (std::size_t i = 0; i < owned; ++i) {
      double sum = force[i];
      std::int64_t copies = 1;
      const auto add = [&](int rank) {
        for (const auto& one : given_by_all[static_cast<std::size_t>(rank)])
          if (one.id == now[i].id) {
            sum += one.force;
            ++copies;
          }
      };
      add(test.rank);
      for (int rank = 0; rank < test.size; ++rank)
        if (rank != test.rank) add(rank);
      if (fault(sums[i] != sum)) FAIL(said + ": another sum of particle " + std::to_string(now[i].id));
      CHECK_EQUAL(count[i], copies);
    }
    for (std::size_t i = owned; i < all; ++i) CHECK_EQUAL(sums[i], force[i]);

    // Several numbers in a member of structures.
    struct with_force {
      int before;
      std::array<double, 3> force;
    };
    std::vector<with_force> forces(all);
    for (std::size_t i = 0; i < all; ++i) forces[i] = {7, {force[i], 1, static_cast<double>(i < owned ? 0 : 2)}};
    ghosts.sum_back(wherry::member_of(forces, &with_force::force));
    for (std::size_t i = 0; i < owned; ++i) {
      CHECK(forces[i].before == 7 && forces[i].force[0] == sums[i]);
      CHECK_EQUAL(forces[i].force[1], static_cast<double>(count[i]));
      CHECK_EQUAL(forces[i].force[2], 2.0 * static_cast<double>(count[i] - 1));
    }

    ghosts.drop(wherry::by_position(&particle<N, Real>::r), structures);
    CHECK(structures == now);
    migrate(wherry::by_position(&particle<N, Real>::r), structures);
    CHECK(structures == now);
    CHECK_THROWS_WITH(ghosts.start_fill(tag), "particles have moved since the ghosts were planned");
  }
}

}  // namespace

WHERRY_TEST(ghosts_are_all_images_within_the_cutoff, ranks(1, 2, 3, 4, 8)) {
  for (int i = 0; i < 36; ++i) {
    const auto seed = hash(test.seed, i);
    test.note("seed " + std::to_string(seed));
    switch (i % 4) {
      case 0:
        check_ghosts<1, double>(test, seed);
        break;
      case 1:
        check_ghosts<2, float>(test, seed);
        break;
      case 2:
        check_ghosts<3, double>(test, seed);
        break;
      default:
        check_ghosts<2, double>(test, seed);
        break;
    }
  }
}
