// Spaces that are not boxes along the axes: cells of crystals, and spaces by a function.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "wherry/particles/particles.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"
#include "swarm.hpp"

using namespace wherry_test;

namespace {

using atom = particle<3, double>;
using vector3 = std::array<double, 3>;

constexpr vector3 corner{-1, 0.5, 2};
constexpr std::array<vector3, 3> edges{{{4, 0, 0}, {1.5, 3, 0}, {-0.7, 0.4, 5}}};

vector3 position_of(const vector3& f) {
  auto x = corner;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t e = 0; e < 3; ++e) x[e] += f[d] * edges[d][e];
  return x;
}
/// By substitution: the edges form a triangle.
vector3 fractions_of(const vector3& x) {
  vector3 f{};
  vector3 left{x[0] - corner[0], x[1] - corner[1], x[2] - corner[2]};
  for (std::size_t d = 3; d-- > 0;) {
    f[d] = left[d] / edges[d][d];
    for (std::size_t e = 0; e < 3; ++e) left[e] -= f[d] * edges[d][e];
  }
  return f;
}

wherry::particle_space<3> space_by(bool function) {
  wherry::particle_space<3> space{.lower = corner, .edges = edges};
  if (function) space.fractions = fractions_of;
  return space;
}

double distance(const vector3& a, const vector3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// Each particle and image within the cut-off of a particle here is here, exactly once.
void check_pairs(const context& test, const std::vector<atom>& mine, std::size_t owned, double cutoff) {
  std::vector<atom> own(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(owned));
  const auto all = gathered(test.comm, own);
  std::size_t found = 0, expected = 0;
  for (const auto& here : own) {
    for (const auto& other : mine) found += distance(here.r, other.r) <= cutoff ? 1 : 0;
    for (const auto& list : all)
      for (const auto& one : list)
        for (int k = 0; k < 27; ++k) {
          auto x = one.r;
          const std::array<int, 3> image{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
          for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t e = 0; e < 3; ++e) x[e] += image[d] * edges[d][e];
          expected += distance(here.r, x) <= cutoff ? 1 : 0;
        }
  }
  CHECK_EQUAL(found, expected);
}

}  // namespace

WHERRY_TEST(triclinic_cells_wrap_along_their_edges, ranks(1, 2, 3, 4, 8)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true, true}});
  const wherry::point<3> cells{12, 9, 10};
  for (const bool function : {false, true}) {
    wherry::particle_exchange<3> migrate(grid, cells, space_by(function));
    wherry::ghost_particles<3> ghosts(migrate, 0.9);
    random_numbers random(hash(test.seed, test.rank));
    std::vector<atom> mine;
    for (int i = 0; i < 60; ++i) {
      vector3 f;
      for (auto& one : f) one = random.between(-1500, 2500) / 1000.0;
      mine.push_back({position_of(f), test.rank * 1000 + i});
    }
    for (int step = 0; step < 5; ++step) {
      const auto before = gathered(test.comm, mine);
      migrate(wherry::by_position(&atom::r), mine);
      for (const auto& p : mine) {
        const auto f = fractions_of(p.r);
        wherry::point<3> cell;
        for (std::size_t d = 0; d < 3; ++d) {
          CHECK(f[d] > -1e-9 && f[d] < 1 + 1e-9);
          cell[d] = std::clamp<wherry::index_t>(
              static_cast<wherry::index_t>(std::floor(f[d] * static_cast<double>(cells[d]))), 0, cells[d] - 1);
        }
        // A position at an edge of a cell may be rounded to either side.
        bool near_edge = false;
        for (std::size_t d = 0; d < 3; ++d)
          near_edge = near_edge || std::abs(f[d] * static_cast<double>(cells[d]) -
                                            std::round(f[d] * static_cast<double>(cells[d]))) < 1e-9;
        CHECK(near_edge || grid.owner_of(cell, cells) == test.rank);
        for (const auto& list : before)
          for (const auto& was : list) {
            if (was.id != p.id) continue;
            const auto g = fractions_of(was.r);
            for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(f[d] - g[d] - std::round(f[d] - g[d])) < 1e-9);
          }
      }
      const int counts[2] = {static_cast<int>(mine.size()), 0};
      int all = 0;
      MPI_Allreduce(counts, &all, 1, MPI_INT, MPI_SUM, test.comm);
      CHECK_EQUAL(all, 60 * test.size);
      const auto owned = mine.size();
      ghosts.plan(wherry::by_position(&atom::r), mine);
      check_pairs(test, mine, owned, 0.9);
      ghosts.drop(mine);
      for (auto& p : mine)
        for (auto& x : p.r) x += random.between(-300, 300) / 200.0;
    }
  }
}
