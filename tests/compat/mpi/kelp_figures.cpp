// KeLP's own programs, nearly letter by letter: figures 4 and 5. What they must give is computed cell by cell from
// one global array on every rank.
#include <cmath>
#include <map>
#include <vector>

#include "harness/harness.hpp"
#include "kelp/kelp.hpp"

using namespace kelp;

namespace {

// Irregular blocks that fill a rectangle, and a hole in it; dealt to the processes in turn. Without ghost cells.
std::vector<Region2> irregular_cores() {
  return {Region2(0, 0, 6, 3),   Region2(7, 0, 11, 1),  Region2(7, 2, 9, 7), Region2(0, 4, 2, 7),
          Region2(10, 2, 11, 7), Region2(0, 8, 11, 10), Region2(3, 4, 6, 4)};
}

template <int D> FloorPlan<D> dealt_with_ghosts(const std::vector<Region<D>>& cores, int ghosts) {
  FloorPlan<D> F(static_cast<int>(cores.size()));
  for (int i = 0; i < F.size(); ++i) {
    F.setregion(i, grow(cores[static_cast<std::size_t>(i)], ghosts));
    F.setowner(i, (2 * i + 1) % nodes());
  }
  return F;
}

template <int D> int core_of(const std::vector<Region<D>>& cores, const Point<D>& p) {
  for (std::size_t i = 0; i < cores.size(); ++i)
    if (cores[i].inside(p)) return static_cast<int>(i);
  return -1;
}

// Figure 4. The paper's ∩ is *, its ∈ an iterator.
template <int D> MotionPlan<D> BuildMotionPlan(const FloorPlan<D>& U, int NGHOST) {
  MotionPlan<D> M;
  for (indexIterator ii(U); ii; ++ii) {
    const int i = ii();
    const Region<D> I = grow(U(i), -NGHOST);
    for (indexIterator jj(U); jj; ++jj) {
      const int j = jj();
      if (j == i) continue;
      const Region<D> R = I * U(j);
      M.Copy(U(i) * R, U(j) * R);
    }
  }
  return M;
}

double start_value(index_t i, index_t j, index_t k) { return std::sin(static_cast<double>(i + 3 * j + 7 * k)); }

// One Jacobi sweep over the inside of a grid.
void serialRelax(Grid3<double>& u) {
  Grid3<double> before(u.region());
  wherry::for_each_point(u.region().box(), [&](const auto& p) { before[p] = u[p]; });
  wherry::for_each_point(grow(u.region(), -1).box(), [&](const auto& p) {
    const auto [i, j, k] = p;
    u(i, j, k) = (before(i - 1, j, k) + before(i + 1, j, k) + before(i, j - 1, k) + before(i, j + 1, k) +
                  before(i, j, k - 1) + before(i, j, k + 1)) /
                 6;
  });
}

}  // namespace

WHERRY_TEST(kelp_figure_4, ranks(1, 2, 3, 4, 8)) {
  const KelpConfig config(test.comm);
  for (const int NGHOST : {1, 2}) {
    const auto cores = irregular_cores();
    const FloorPlan2 U = dealt_with_ghosts(cores, NGHOST);
    const MotionPlan2 M = BuildMotionPlan(U, NGHOST);
    XArray2<Grid2<int>> X(U);
    const auto value = [](const auto& p) { return static_cast<int>(100 * p[0] + p[1]); };
    for (nodeIterator ni(U); ni; ++ni) {
      X(ni()).fill(-1);
      wherry::for_each_point(cores[static_cast<std::size_t>(ni())].box(), [&](const auto& p) {
        X(ni())[p] = value(p);
      });
    }
    Mover2<Grid2<int>, int> mover(X, X, M);
    mover.start();
    mover.wait();
    int wrong = 0, cells = 0;
    for (nodeIterator ni(X); ni; ++ni)
      wherry::for_each_point(X(ni()).region().box(), [&](const auto& p) {
        const int expected = core_of<2>(cores, p) >= 0 ? value(p) : -1;
        wrong += X(ni())[p] != expected;
        ++cells;
      });
    CHECK_EQUAL(wrong, 0);
    CHECK((cells > 0) == (nodeIterator(U) ? true : false));
  }
}

WHERRY_TEST(kelp_figure_5, ranks(1, 2, 3, 4, 8)) {
  const KelpConfig config(test.comm);
  constexpr int sweeps = 9;
  // Bricks of different sizes that fill a box.
  std::vector<Region3> cores;
  const std::vector<int> x{0, 3, 8}, y{0, 5, 6}, z{0, 2, 4, 7};
  for (std::size_t c = 0; c + 1 < z.size(); ++c)
    for (std::size_t b = 0; b + 1 < y.size(); ++b)
      for (std::size_t a = 0; a + 1 < x.size(); ++a)
        cores.emplace_back(x[a], y[b], z[c], x[a + 1] - 1, y[b + 1] - 1, z[c + 1] - 1);

  const FloorPlan3 F = dealt_with_ghosts(cores, 1);
  XArray3<Grid3<double>> U(F);
  for (nodeIterator ni(F); ni; ++ni)
    wherry::for_each_point(F(ni()).box(), [&](const auto& p) { U(ni())[p] = start_value(p[0], p[1], p[2]); });
  const MotionPlan3 M = BuildMotionPlan(F, 1);
  Mover3<Grid3<double>, double> Mvr(U, U, M);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Mvr.start();
    Mvr.wait();
    for (nodeIterator ni(F); ni; ++ni) {
      const int i = ni();
      serialRelax(U(i));
    }
  }

  // The whole box on one rank, in plain loops.
  constexpr int nx = 10, ny = 8, nz = 9;
  const auto at = [](index_t i, index_t j, index_t k) {
    return static_cast<std::size_t>((i + 1) + nx * ((j + 1) + ny * (k + 1)));
  };
  std::vector<double> whole(nx * ny * nz);
  for (int k = -1; k < nz - 1; ++k)
    for (int j = -1; j < ny - 1; ++j)
      for (int i = -1; i < nx - 1; ++i) whole[at(i, j, k)] = start_value(i, j, k);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const auto old = whole;
    for (int k = 0; k < nz - 2; ++k)
      for (int j = 0; j < ny - 2; ++j)
        for (int i = 0; i < nx - 2; ++i)
          whole[at(i, j, k)] = (old[at(i - 1, j, k)] + old[at(i + 1, j, k)] + old[at(i, j - 1, k)] +
                                old[at(i, j + 1, k)] + old[at(i, j, k - 1)] + old[at(i, j, k + 1)]) /
                               6;
  }
  double worst = 0;
  for (nodeIterator ni(F); ni; ++ni)
    wherry::for_each_point(cores[static_cast<std::size_t>(ni())].box(), [&](const auto& p) {
      worst = std::max(worst, std::abs(U(ni())[p] - whole[at(p[0], p[1], p[2])]));
    });
  CHECK_EQUAL(worst, 0.0);  // the same operations in the same order
}
