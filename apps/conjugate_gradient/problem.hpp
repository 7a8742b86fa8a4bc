/// @file
/// The Poisson equation that the program solves, and a rank's strip of its cells.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace conjugate_gradient {

/// -∇²u = f in the unit square, u given on its edge, with n² unknowns a distance h = 1/(n+1) apart. Index 0 and n+1 lie
/// on the edge.
struct problem {
  long n = 64;
  long aggregates = 8;  ///< along each axis, of the coarse grid

  double h() const { return 1.0 / static_cast<double>(n + 1); }
  /// The chosen solution. It is smooth, has no symmetries that could hide a mistake, and is not zero on the edge.
  double solution(long x, long y) const {
    return std::exp(h() * static_cast<double>(x)) * std::sin(2 * h() * static_cast<double>(y));
  }
  /// h² times minus its Laplacian, (1 - 4) u.
  double right_hand_side(long x, long y) const { return 3 * h() * h() * solution(x, y); }
  /// A bound for the error of the difference equation's solution: an eighth of the largest truncation error, which is
  /// h² / 12 times the largest |u_xxxx + u_yyyy| = (1 + 16) e.
  double largest_error() const { return h() * h() * 17 * std::exp(1.0) / 96; }
  /// The first row of rank r.
  long cut(int r, int ranks) const { return 1 + n * r / ranks; }
};

/// A number for each cell of the rows [first, last) and of the rows beside them; cells beyond the square are zero.
class strip {
 public:
  strip(const problem& what, long first, long last)
      : first_(first),
        last_(last),
        width_(what.n + 2),
        values_(static_cast<std::size_t>((last - first + 2) * width_), 0.0) {}

  long first() const { return first_; }
  long last() const { return last_; }
  long width() const { return width_; }
  /// The row's cells by their global index x.
  double* row(long y) { return values_.data() + (y - first_ + 1) * width_; }
  const double* row(long y) const { return values_.data() + (y - first_ + 1) * width_; }
  /// All own cells and the zeros between their rows.
  double* own() { return row(first_); }
  const double* own() const { return row(first_); }
  long own_count() const { return (last_ - first_) * width_; }

 private:
  long first_, last_, width_;
  std::vector<double> values_;
};

/// The right-hand side for the unknowns: f, and the contributions of neighbours on the edge.
void set_right_hand_side(const problem& what, strip& b);
/// The largest difference from the solution in this strip; a NaN if u has one.
double error_of(const problem& what, const strip& u);

}  // namespace conjugate_gradient
