/// @file
/// The product, the cut of the matrices, and the check of the result, which both programs share.
#pragma once

#include <mpi.h>

#include <vector>

namespace summa {

/// A view of a column-major matrix; there are `stride` elements from one column to the next.
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
  /// The panels, from left to right in A and from top to bottom in B; each lies within one block of both.
  std::vector<panel> panels() const;
};

/// Fills one rank's block with its part of A or B: pseudo-random numbers between -1/2 and 1/2.
void fill_a(const problem& what, int rank, const matrix& block);
void fill_b(const problem& what, int rank, const matrix& block);

/// Collective over a communicator of as many ranks as the grid has. Returns the largest error of C, divided by the
/// largest error that rounding may cause, so that the product is right if the result is at most 1. Small products are
/// compared with a serial product, element by element; large ones by pseudo-random vectors x: C x = A (B x).
double relative_error(MPI_Comm comm, const problem& what, const matrix& a, const matrix& b, const matrix& c);

/// The largest n for which the product is compared element by element.
inline constexpr long small_enough = 256;

}  // namespace summa
