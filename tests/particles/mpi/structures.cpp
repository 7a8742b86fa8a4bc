// Ghosts of structures on ranks without particles: the places of members are known without an element.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::by_position;

namespace {

struct charged {
  int kind;
  double x, y;
  float charge;
};
struct located {
  int kind;
  double r[2];
};

/// A ring of ranks, each with one unit of length. The last rank has no particles.
struct ring {
  explicit ring(const context& test)
      : grid(test.comm, {.periodic = {true, false}, .extents = {test.size, 1}}),
        migrate(grid, {.lower = {0, 0}, .upper = {1.0 * test.size, 1}}),
        ghosts(migrate, 0.25),
        is_empty(test.size > 1 && test.rank == test.size - 1) {
    if (is_empty) return;
    for (const double off : {0.125, 0.875}) particles.push_back({100 * test.rank + 7, test.rank + off, 0.5, 1.5F});
  }
  /// The x of the ghosts of this rank are close to its part.
  bool is_beside(const context& test, double x) const { return x == test.rank - 0.125 || x == test.rank + 1.125; }

  wherry::process_grid grid;
  wherry::particle_exchange<2> migrate;
  wherry::ghost_particles<2> ghosts;
  bool is_empty;
  std::vector<charged> particles;
};

/// The rank whose particles lie at x.
int rank_around(const context& test, double x) { return (static_cast<int>(x + test.size) + test.size) % test.size; }

}  // namespace

WHERRY_TEST(ghosts_of_structures_reach_ranks_without_particles, ranks(1, 2, 3, 4)) {
  ring one(test);
  const auto check = [&](const std::vector<charged>& all, float charge) {
    for (std::size_t i = one.ghosts.owned(); i < all.size(); ++i) {
      CHECK(one.is_beside(test, all[i].x));
      CHECK(all[i].y == 0.5 && all[i].charge == charge);
      CHECK_EQUAL(all[i].kind, 100 * rank_around(test, all[i].x) + 7);
    }
  };
  auto& all = one.particles;
  one.ghosts.plan(by_position(&charged::x, &charged::y), all);
  if (one.is_empty) CHECK_EQUAL(one.ghosts.count(), 2);
  check(all, 1.5F);
  for (std::size_t i = one.ghosts.owned(); i < all.size(); ++i) all[i].x = all[i].y = -77;
  one.ghosts.fill(by_position([](charged& p) -> double& { return p.x; }, &charged::y), all);
  check(all, 1.5F);
  one.ghosts.drop(by_position(&charged::x, &charged::y), all);
  CHECK_EQUAL(all.size(), one.is_empty ? 0 : 2);

  // A member that was named when the array was empty.
  const auto charges = wherry::member_of(all, &charged::charge);
  one.ghosts.resize(all);
  one.ghosts.fill(by_position(&charged::x, &charged::y), all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i >= one.ghosts.owned()) all[i].kind = 100 * rank_around(test, all[i].x) + 7;
    all[i].charge = i < one.ghosts.owned() ? 2.5F : 0;
  }
  one.ghosts.fill(charges);
  check(all, 2.5F);
}

WHERRY_TEST(ghosts_of_structures_with_one_member_reach_ranks_without_particles, ranks(1, 2, 3, 4)) {
  ring one(test);
  std::vector<located> all;
  for (const auto& p : one.particles) all.push_back({p.kind, {p.x, p.y}});
  one.ghosts.plan(by_position(&located::r), all);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = one.ghosts.owned(); i < all.size(); ++i) {
      CHECK(one.is_beside(test, all[i].r[0]));
      CHECK_EQUAL(all[i].kind, 100 * rank_around(test, all[i].r[0]) + 7);
      all[i].r[0] = all[i].r[1] = -77;
    }
    one.ghosts.fill(by_position(&located::r), all);
  }
}

// Structures also move to and from ranks without particles.
WHERRY_TEST(structures_move_to_ranks_without_particles, ranks(1, 2, 3, 4)) {
  ring one(test);
  for (auto& p : one.particles) p.x += 1;
  const auto moved = one.migrate(by_position(&charged::x, &charged::y), one.particles);
  const int from = (test.rank + test.size - 1) % test.size;
  CHECK_EQUAL(moved.count, test.size > 1 && from == test.size - 1 ? 0 : 2);
  for (const auto& p : one.particles) {
    CHECK(p.x > test.rank && p.x < test.rank + 1 && p.y == 0.5 && p.charge == 1.5F);
    CHECK_EQUAL(p.kind, 100 * from + 7);
  }
}

// Numbers of ranks that do not fit an int are not taken for other ranks.
WHERRY_TEST(owners_of_64_bits_are_not_narrowed, ranks(1, 2)) {
  wherry::particle_exchange<1> migrate{wherry::communicator(test.comm)};
  std::vector<std::int64_t> owners{std::int64_t{1} << 32};
  std::vector<double> x{0.5};
  CHECK_THROWS_WITH(migrate(wherry::by_owner(owners), x), "the owner of particle 0 is -1");
  const std::vector<std::size_t> large{std::numeric_limits<std::size_t>::max()};
  CHECK_THROWS_WITH(migrate(wherry::by_owner(large), x), "the owner of particle 0 is -1");
  CHECK_EQUAL(x.size(), 1);
}
