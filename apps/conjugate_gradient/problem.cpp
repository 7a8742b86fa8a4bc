#include "problem.hpp"

namespace conjugate_gradient {

void set_right_hand_side(const problem& what, strip& b) {
  const long n = what.n;
  const auto on_edge = [n](long x, long y) { return x == 0 || y == 0 || x == n + 1 || y == n + 1; };
  for (long y = b.first(); y < b.last(); ++y)
    for (long x = 1; x <= n; ++x) {
      double value = what.right_hand_side(x, y);
      const long beside[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
      for (const auto& [i, j] : beside)
        if (on_edge(i, j)) value += what.solution(i, j);
      b.row(y)[x] = value;
    }
}

double error_of(const problem& what, const strip& u) {
  double largest = 0;
  for (long y = u.first(); y < u.last(); ++y)
    for (long x = 1; x <= what.n; ++x) {
      const double error = std::abs(u.row(y)[x] - what.solution(x, y));
      largest = error <= largest ? largest : error;  // keeps a NaN
    }
  return largest;
}

}  // namespace conjugate_gradient
