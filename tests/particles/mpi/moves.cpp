// Particles that move between ranks, against a move that gathers all particles: process grids, all kinds of arrays,
// both orders.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"
#include "support/with_setting.hpp"
#include "swarm.hpp"

using namespace wherry_test;

namespace {

using wherry::particle_order;

/// The arrays of a code that keeps structures of arrays; some follow from the id.
template <int N, class Real> struct arrays {
  std::array<std::vector<Real>, N> r;
  std::vector<std::int64_t> id;
  std::vector<float> charge;
  std::vector<std::array<short, 3>> spin;
  std::vector<int> bonds;
  std::vector<std::int64_t> bonded;

  static float charge_of(std::int64_t id) { return static_cast<float>(id % 1000) / 7; }
  static std::array<short, 3> spin_of(std::int64_t id) {
    return {static_cast<short>(id % 7), static_cast<short>(id % 11), static_cast<short>(-3)};
  }
  static int bonds_of(std::int64_t id) { return static_cast<int>(hash(id) % 4); }

  explicit arrays(const std::vector<particle<N, Real>>& all) {
    for (const auto& p : all) {
      for (std::size_t d = 0; d < N; ++d) r[d].push_back(p.r[d]);
      id.push_back(p.id);
      charge.push_back(charge_of(p.id));
      spin.push_back(spin_of(p.id));
      bonds.push_back(bonds_of(p.id));
      for (int b = 0; b < bonds_of(p.id); ++b) bonded.push_back(p.id * 10 + b);
    }
  }
  bool operator==(const arrays&) const = default;
};

template <int N, class Arrays> auto position_in(Arrays& a) {
  if constexpr (N == 1) return wherry::by_position(a.r[0]);
  if constexpr (N == 2) return wherry::by_position(a.r[0], a.r[1]);
  if constexpr (N == 3) return wherry::by_position(a.r[0], a.r[1], a.r[2]);
}

template <int N, class Real> void check_case(const context& test, std::uint64_t seed) {
  random_numbers common(seed), random(hash(seed, test.rank));
  const auto order = common.chance(50) ? particle_order::stable : particle_order::fill_holes;
  const int most = common.one_of({0, 3, 40, 300});
  const double far = common.chance(30) ? 0.01 : common.chance(50) ? 0.3 : 3.0;
  const bool all_to_one = common.chance(10);
  world<N> in;
  const bool neighbors_only = common.chance(25);
  auto migrate = random_exchange<N>(test, common, in, {.order = order, .neighbors_only = neighbors_only});
  const auto neighbors = migrate.neighbors();
  const auto may_go = [&](int owner) {
    return owner >= 0 && (!neighbors_only || owner == test.rank || std::ranges::binary_search(neighbors, owner));
  };
  auto now = particles_in<N, Real>(in, test.rank, random.chance(20) ? 0 : random.between(0, most), random);
  const auto said = "seed " + std::to_string(seed);
  std::array<Real, N> meeting;
  for (std::size_t d = 0; d < N; ++d) meeting[d] = coordinate_in<Real>(common, in.lower[d], in.upper[d], in.cells[d]);
  const auto owner_of = [&](const std::array<Real, N>& r) {
    auto wrapped = r;
    for (std::size_t d = 0; d < N; ++d) wrapped[d] = in.wrapped(r[d], d);
    return in.owner_of(in.cell_of(wrapped));
  };
  for (int step = 0; step < 4; ++step) {
    for (auto& p : now) {
      auto to = p.r;
      for (std::size_t d = 0; d < N; ++d) to[d] = all_to_one ? meeting[d] : pushed<Real, N>(p.r[d], random, in, d, far);
      if (may_go(owner_of(to))) p.r = to;
    }
    auto corrected = now;
    std::vector<int> owners;
    std::size_t leaving = 0;
    for (auto& p : corrected) {
      for (std::size_t d = 0; d < N; ++d) p.r[d] = in.wrapped(p.r[d], d);
      owners.push_back(in.owner_of(in.cell_of(p.r)));
      leaving += owners.back() != test.rank ? 1 : 0;
    }
    const auto expected = slowly_moved(test.comm, test.rank, corrected, owners, order);
    std::vector<std::array<Real, N>> before_r;
    for (const auto& p : now) before_r.push_back(p.r);

    arrays<N, Real> a(now);
    const auto at = position_in<N>(a);
    const auto moved = migrate(at, a.id, wherry::ragged(a.bonds, a.bonded), a.charge, a.spin);
    if (fault(a != arrays<N, Real>(expected))) FAIL(said + ": other arrays");
    CHECK_EQUAL(moved.count, expected.size());
    CHECK_EQUAL(moved.left, leaving);
    CHECK_EQUAL(moved.count, now.size() - moved.left + moved.arrived);
    const auto sources = migrate.permutation();
    REQUIRE(sources.size() == expected.size());
    bool right = true;
    for (std::size_t i = 0; i < sources.size(); ++i)
      right = right && (sources[i] < 0 || corrected[static_cast<std::size_t>(sources[i])] == expected[i]);
    if (fault(!right)) FAIL(said + ": another permutation");

    auto structures = now;
    migrate(wherry::by_position(&particle<N, Real>::r), structures);
    if (fault(structures != expected)) FAIL(said + ": other structures");

    std::vector<std::int64_t> id;
    for (const auto& p : now) id.push_back(p.id);
    if constexpr (N > 1) {
      auto triples = before_r;
      migrate(wherry::by_position(triples), id);
      right = id.size() == expected.size() && triples.size() == expected.size();
      for (std::size_t i = 0; right && i < id.size(); ++i)
        right = expected[i].r == triples[i] && expected[i].id == id[i];
      if (fault(!right)) FAIL(said + ": other positions in one array");
    }
    // By the owners that we know, and by their cells.
    auto by_owner = corrected;
    migrate(wherry::by_owner(owners), by_owner);
    CHECK(by_owner == expected);
    by_owner = corrected;
    migrate(wherry::by_owner([&](std::size_t i) { return owners[i]; }), by_owner);
    CHECK(by_owner == expected);
    auto by_cell = corrected;
    std::vector<wherry::point<N>> cells;
    for (const auto& p : corrected) cells.push_back(in.cell_of(p.r));
    migrate(wherry::by_cell(cells), by_cell);
    CHECK(by_cell == expected);

    // Those that the push has marked: all that have left, and some others.
    std::vector<char> mask(now.size());
    std::vector<int> list;
    for (std::size_t i = now.size(); i-- > 0;)
      if (owners[i] != test.rank || corrected[i] != now[i] || random.chance(10)) {
        mask[i] = 1;
        list.push_back(static_cast<int>(i));
      }
    auto marked = now;
    migrate(wherry::leavers(mask), wherry::by_position(&particle<N, Real>::r), marked);
    CHECK(marked == expected);
    marked = now;
    migrate(wherry::leavers(list), wherry::by_position(&particle<N, Real>::r), marked);
    CHECK(marked == expected);
    now = expected;
  }
}

void check_cases(context& test, int cases) {
  for (int i = 0; i < cases; ++i) {
    const auto seed = hash(test.seed, i);
    test.note("seed " + std::to_string(seed));
    switch (i % 6) {
      case 0:
        check_case<1, double>(test, seed);
        break;
      case 1:
        check_case<2, float>(test, seed);
        break;
      case 2:
        check_case<3, double>(test, seed);
        break;
      case 3:
        check_case<1, float>(test, seed);
        break;
      case 4:
        check_case<2, double>(test, seed);
        break;
      default:
        check_case<3, float>(test, seed);
        break;
    }
  }
}

}  // namespace

WHERRY_TEST(particles_reach_their_owners, ranks(1, 2, 3, 4, 8)) { check_cases(test, 60); }

WHERRY_TEST(particles_reach_their_owners_with_checks, ranks(1, 2, 3, 4).not_simulated(one_environment)) {
  const with_setting checks("check", "1", "0");
  check_cases(test, 30);
}
