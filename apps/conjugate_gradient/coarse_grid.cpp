#include "coarse_grid.hpp"

#include <algorithm>
#include <cmath>

namespace conjugate_gradient {

coarse_grid::coarse_grid(const problem& what) : n_(what.n), m_(what.aggregates) {
  for (long x = 1; x <= n_; ++x) {
    if (x == 1 || of(x) != of(x - 1)) cuts_.push_back(x);
    of_row_.push_back(of(x));
  }
  cuts_.push_back(n_ + 1);
  factors_.assign(static_cast<std::size_t>(m_ * m_ * (m_ + 1)), 0.0);
  assemble();
  factorise();
}

/// The sum of the fine equations of each aggregate. The entries between two cells of the same aggregate cancel, and
/// each edge to a neighbouring aggregate or to the edge of the square counts one.
void coarse_grid::assemble() {
  const auto cells = [this](long i) {
    return static_cast<double>(cuts_[static_cast<std::size_t>(i) + 1] - cuts_[static_cast<std::size_t>(i)]);
  };
  for (long j = 0; j < m_; ++j)
    for (long i = 0; i < m_; ++i) {
      const long row = j * m_ + i;
      factor(row, 0) = 2 * cells(i) + 2 * cells(j);
      if (i > 0) factor(row, 1) -= cells(j);
      if (j > 0) factor(row, m_) -= cells(i);
    }
}

/// Factorises the matrix by Cholesky's method within its band.
void coarse_grid::factorise() {
  for (long row = 0; row < m_ * m_; ++row) {
    for (long back = std::min(m_, row); back >= 0; --back) {
      const long column = row - back;
      double value = factor(row, back);
      for (long k = std::max(0L, row - m_); k < column; ++k) value -= factor(row, row - k) * factor(column, column - k);
      factor(row, back) = back == 0 ? 1 / std::sqrt(value) : value * factor(column, 0);
    }
  }
}

void coarse_grid::solve(std::vector<double>& sums) const {
  const long count = m_ * m_;
  double* const x = sums.data();
  for (long row = 0; row < count; ++row) {
    double value = x[row];
    for (long back = 1; back <= std::min(m_, row); ++back) value -= factor(row, back) * x[row - back];
    x[row] = value * factor(row, 0);
  }
  for (long row = count - 1; row >= 0; --row) {  // by columns of L, which are its rows here
    const double value = x[row] *= factor(row, 0);
    for (long back = 1; back <= std::min(m_, row); ++back) x[row - back] -= factor(row, back) * value;
  }
}

void coarse_grid::restrict_to(std::vector<double>& sums, const strip& fine) const {
  std::fill(sums.begin(), sums.end(), 0.0);
  for (long y = fine.first(); y < fine.last(); ++y) {
    double* const into = sums.data() + of_row_[static_cast<std::size_t>(y - 1)] * m_;
    const double* const row = fine.row(y);
    for (long i = 0; i < m_; ++i) {
      double sum = 0;
      for (long x = cuts_[static_cast<std::size_t>(i)]; x < cuts_[static_cast<std::size_t>(i) + 1]; ++x) sum += row[x];
      into[i] += sum;
    }
  }
}

void coarse_grid::smooth_and_prolong(strip& z, const strip& r, const std::vector<double>& values) const {
  for (long y = z.first(); y < z.last(); ++y) {
    const double* const from = values.data() + of_row_[static_cast<std::size_t>(y - 1)] * m_;
    const double* const fine = r.row(y);
    double* const row = z.row(y);
    for (long i = 0; i < m_; ++i)
      for (long x = cuts_[static_cast<std::size_t>(i)]; x < cuts_[static_cast<std::size_t>(i) + 1]; ++x)
        row[x] = 0.25 * fine[x] + from[i];
  }
}

}  // namespace conjugate_gradient
