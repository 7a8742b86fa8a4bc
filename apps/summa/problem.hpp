/// @file
/// The product that is computed, how the matrices are cut, and how the result is checked: what both programs share.
#pragma once

#include <mpi.h>

#include <vector>

namespace summa {

/// A column-major matrix that somebody else owns; `stride` elements from one column to the next.
struct matrix {
  double* first = nullptr;
  long rows = 0, columns = 0, stride = 0;

  double& operator()(long i, long j) const { return first[i + j * stride]; }
};

/// c = a b, or c += a b, by one thread of OpenBLAS.
void multiply(const matrix& c, const matrix& a, const matrix& b, bool add);

/// Some columns of A, owned by one column of the ranks' grid, and the same rows of B, owned by one row of it.
struct panel {
  long first, last;
  int column, row;
  long width() const { return last - first; }
};

/// C = A B, all of them n × n, on a grid of ranks: rank i · columns + j owns block (i, j) of each.
struct problem {
  long n = 512, width = 256;  ///< of a panel
  int rows = 1, columns = 1;  ///< ranks

  long cut_rows(int i) const { return n * i / rows; }
  long cut_columns(int j) const { return n * j / columns; }
  int rank(int i, int j) const { return i * columns + j; }
  /// From left to right in A, from top to bottom in B; each within one block of both.
  std::vector<panel> panels() const;
};

/// Fills one rank's block with its part of A or B, numbers between -1/2 and 1/2 without any pattern.
void fill_a(const problem& what, int rank, const matrix& block);
void fill_b(const problem& what, int rank, const matrix& block);

/// Collective over a communicator of as many ranks as the grid has. The largest error of C, divided by what rounding
/// may cost: right when at most 1. Small products are compared with a serial one, element by element; large ones by
/// vectors x without pattern: C x = A (B x).
double relative_error(MPI_Comm comm, const problem& what, const matrix& a, const matrix& b, const matrix& c);

/// Largest n whose product is compared element by element.
inline constexpr long small_enough = 256;

}  // namespace summa
