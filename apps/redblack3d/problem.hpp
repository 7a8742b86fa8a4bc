/// @file
/// The Poisson equation and the cut of its cells. Both programs share this file and the kernel.
#pragma once

#include <array>
#include <cmath>

#include "kernel.hpp"

namespace redblack3d {

/// ∇²u = f in the unit cube, u given on its surface, with n³ unknowns a distance h = 1/(n+1) apart. Index 0 and n+1 lie
/// on the surface.
struct problem {
  long n = 64;
  std::array<int, 3> blocks{1, 1, 1};  ///< along x, y, z

  double h() const { return 1.0 / static_cast<double>(n + 1); }
  int block_count() const { return blocks[0] * blocks[1] * blocks[2]; }
  /// The cuts of the hand-written program: the first index of block b of dimension d. Blocks differ by one cell at
  /// most.
  long cut(int d, int b) const { return 1 + n * b / blocks[static_cast<std::size_t>(d)]; }
  range3 block(int i, int j, int k) const {
    return {{cut(0, i), cut(1, j), cut(2, k)}, {cut(0, i + 1), cut(1, j + 1), cut(2, k + 1)}};
  }

  /// The chosen solution. It is smooth, has no symmetries that could hide a mistake, and is not zero on the surface.
  double solution(long x, long y, long z) const {
    const double d = h();
    return std::exp(d * static_cast<double>(x)) * std::sin(2 * d * static_cast<double>(y)) *
           std::cos(3 * d * static_cast<double>(z));
  }
  /// h² times its Laplacian, (1 - 4 - 9) u.
  double right_hand_side(long x, long y, long z) const { return -12 * h() * h() * solution(x, y, z); }
  bool inside(long x, long y, long z) const { return x >= 1 && x <= n && y >= 1 && y <= n && z >= 1 && z <= n; }
};

/// Sets the first guess: zero inside, and the solution on the surface and beyond it; `cells` may include ghost cells.
void set_first_guess(const problem& what, const array3& u, const range3& cells);
void set_right_hand_side(const problem& what, const array3& f, const range3& cells);

/// One rank's part of the state. The parts of the ranks are added, except the error, of which the largest counts.
struct state {
  double error = 0;               ///< largest difference from the solution
  unsigned long fingerprint = 0;  ///< a sum over the cells' bits and places, which does not depend on the cut
};
void look_at(const problem& what, const array3& u, const range3& cells, state& seen);

}  // namespace redblack3d
