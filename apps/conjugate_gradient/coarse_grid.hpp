/// @file
/// The coarse grid of the preconditioner: squares of cells that move up and down together (Nicolaides, SIAM Journal on
/// Numerical Analysis 24, 1987). It carries the smooth part of a correction across the whole square in one step.
#pragma once

#include <vector>

#include "problem.hpp"

namespace conjugate_gradient {

/// m² aggregates of about (n/m)² cells, and the factorised equation among them, which is small enough for every rank.
class coarse_grid {
 public:
  explicit coarse_grid(const problem& what);

  int unknowns() const { return static_cast<int>(m_ * m_); }
  /// Adds each of the strip's own cells to its aggregate.
  void restrict_to(std::vector<double>& sums, const strip& fine) const;
  /// Solves the coarse equation in place.
  void solve(std::vector<double>& sums) const;
  /// Sets z = r / 4 + the value of the cell's aggregate, for the strip's own cells.
  void smooth_and_prolong(strip& z, const strip& r, const std::vector<double>& values) const;

 private:
  double& factor(long row, long back) { return factors_[static_cast<std::size_t>(row * (m_ + 1) + back)]; }
  double factor(long row, long back) const { return factors_[static_cast<std::size_t>(row * (m_ + 1) + back)]; }
  void assemble();
  void factorise();
  /// The aggregate of index x, along either axis.
  long of(long x) const { return ((x - 1) * m_) / n_; }

  long n_, m_;
  std::vector<long> cuts_;       // first cell of each aggregate along an axis, and one more
  std::vector<long> of_row_;     // the aggregate of each row
  std::vector<double> factors_;  // L of L Lᵀ: factor(row, k) stands k left of the diagonal; that is inverted
};

}  // namespace conjugate_gradient
