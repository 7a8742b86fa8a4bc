#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace summa {
namespace {

double scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53 - 0.5;
}

/// Element (i, j) of A (which = 1), of B (2) or of a vector (3 and up).
double element(int which, long i, long j) {
  const auto place = (static_cast<std::uint64_t>(i) << 32) + static_cast<std::uint64_t>(j);
  return scrambled(place * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(which) * 0xd1342543de82ef95u);
}

void fill(const problem& what, int which, int rank, const matrix& block) {
  const long top = what.cut_rows(rank / what.columns), left = what.cut_columns(rank % what.columns);
  for (long j = 0; j < block.columns; ++j)
    for (long i = 0; i < block.rows; ++i) block(i, j) = element(which, top + i, left + j);
}

/// Computes entry (i, j) of the product, one multiplication after the other.
double serial_entry(long n, long i, long j) {
  double sum = 0;
  for (long k = 0; k < n; ++k) sum += element(1, i, k) * element(2, k, j);
  return sum;
}

using vector = std::vector<double>;

/// Computes the whole vector M x on all ranks from the blocks of M.
vector apply(MPI_Comm comm, const problem& what, int rank, const matrix& block, const vector& x) {
  const long top = what.cut_rows(rank / what.columns), left = what.cut_columns(rank % what.columns);
  vector result(static_cast<std::size_t>(what.n));
  for (long j = 0; j < block.columns; ++j)
    for (long i = 0; i < block.rows; ++i)
      result[static_cast<std::size_t>(top + i)] += block(i, j) * x[static_cast<std::size_t>(left + j)];
  MPI_Allreduce(MPI_IN_PLACE, result.data(), static_cast<int>(what.n), MPI_DOUBLE, MPI_SUM, comm);
  return result;
}

/// The comparison is written so that a NaN counts as an error.
double larger(double so_far, double found) { return found <= so_far ? so_far : found; }

constexpr int probes = 3;

}  // namespace

std::vector<panel> problem::panels() const {
  std::vector<panel> result;
  int column = 0, row = 0;
  for (long first = 0; first < n;) {
    while (cut_columns(column + 1) <= first) ++column;
    while (cut_rows(row + 1) <= first) ++row;
    const long last = std::min({first + width, cut_columns(column + 1), cut_rows(row + 1)});
    result.push_back({first, last, column, row});
    first = last;
  }
  return result;
}

void fill_a(const problem& what, int rank, const matrix& block) { fill(what, 1, rank, block); }
void fill_b(const problem& what, int rank, const matrix& block) { fill(what, 2, rank, block); }

double relative_error(MPI_Comm comm, const problem& what, const matrix& a, const matrix& b, const matrix& c) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  double error = 0, allowed = std::numeric_limits<double>::epsilon() * static_cast<double>(what.n);
  if (what.n <= small_enough) {
    const long top = what.cut_rows(rank / what.columns), left = what.cut_columns(rank % what.columns);
    for (long j = 0; j < c.columns; ++j)
      for (long i = 0; i < c.rows; ++i)
        error = larger(error, std::abs(c(i, j) - serial_entry(what.n, top + i, left + j)));
  } else {
    for (int probe = 0; probe < probes; ++probe) {
      vector x(static_cast<std::size_t>(what.n));
      for (long j = 0; j < what.n; ++j) x[static_cast<std::size_t>(j)] = element(3 + probe, 0, j);
      const auto expected = apply(comm, what, rank, a, apply(comm, what, rank, b, x));
      const auto found = apply(comm, what, rank, c, x);
      for (std::size_t i = 0; i < x.size(); ++i) error = larger(error, std::abs(found[i] - expected[i]));
    }
    allowed *= std::sqrt(static_cast<double>(what.n));  // an entry of C x is a sum of n entries of C
  }
  error /= allowed;
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  return error;
}

}  // namespace summa
