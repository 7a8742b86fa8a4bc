#include "twin.hpp"

#include <algorithm>
#include <limits>

namespace summa {
namespace {

matrix allocate(std::vector<double>& memory, long rows, long columns) {
  memory.assign(static_cast<std::size_t>(std::max(1L, rows * columns)), 0.0);  // an empty block has an address too
  return {memory.data(), rows, columns, std::max(1L, rows)};
}

}  // namespace

twin::twin(MPI_Comm comm, const problem& what) : comm_(comm), what_(what), panels_(what.panels()) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  // begin: what a user writes
  i_ = rank / what.columns;
  j_ = rank % what.columns;
  const long rows = what.cut_rows(i_ + 1) - what.cut_rows(i_);
  const long columns = what.cut_columns(j_ + 1) - what.cut_columns(j_);
  // end
  a_ = allocate(a_memory_, rows, columns);
  b_ = allocate(b_memory_, rows, columns);
  c_ = allocate(c_memory_, rows, columns);
  fill_a(what, rank, a_);
  fill_b(what, rank, b_);
  // begin: what a user writes
  MPI_Comm_split(comm, i_, j_, &row_);
  MPI_Comm_split(comm, j_, i_, &column_);
  for (auto& memory : a_panel_) memory.resize(static_cast<std::size_t>(rows * what.width));
  for (auto& memory : b_panel_) memory.resize(static_cast<std::size_t>(what.width * columns));
  // end
}

twin::~twin() {
  MPI_Comm_free(&row_);
  MPI_Comm_free(&column_);
}

void twin::multiply() {
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    broadcast(k);
    multiply_panel(k);
  }
}

void twin::multiply_ahead() {
  start(0);
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    wait();
    if (k + 1 < panels_.size()) start(k + 1);
    multiply_panel(k);
  }
}

// begin: what a user writes
/// The columns of a panel of A lie one after the other, so that its owner broadcasts them in place.
double* twin::ready_a(std::size_t k) {
  const auto& p = panels_[k];
  return p.column == j_ ? &a_(0, p.first - what_.cut_columns(j_)) : a_panel_[k % 2].data();
}

/// A panel of B has a few rows of each column, so that its owner packs them.
double* twin::ready_b(std::size_t k) {
  const auto& p = panels_[k];
  double* const packed = b_panel_[k % 2].data();
  if (p.row == i_ && what_.rows > 1)
    for (long j = 0; j < b_.columns; ++j)
      std::copy_n(&b_(p.first - what_.cut_rows(i_), j), p.width(), packed + j * p.width());
  return packed;
}

void twin::broadcast(std::size_t k) {
  const auto& p = panels_[k];
  const double began = MPI_Wtime();
  const int in_a = static_cast<int>(a_.rows * p.width()), in_b = static_cast<int>(p.width() * b_.columns);
  if (what_.columns > 1) MPI_Bcast(ready_a(k), in_a, MPI_DOUBLE, p.column, row_);
  if (what_.rows > 1) MPI_Bcast(ready_b(k), in_b, MPI_DOUBLE, p.row, column_);
  seconds_ += MPI_Wtime() - began;
}

void twin::start(std::size_t k) {
  const auto& p = panels_[k];
  const double began = MPI_Wtime();
  const int in_a = static_cast<int>(a_.rows * p.width()), in_b = static_cast<int>(p.width() * b_.columns);
  if (what_.columns > 1) MPI_Ibcast(ready_a(k), in_a, MPI_DOUBLE, p.column, row_, &requests_[0]);
  if (what_.rows > 1) MPI_Ibcast(ready_b(k), in_b, MPI_DOUBLE, p.row, column_, &requests_[1]);
  seconds_ += MPI_Wtime() - began;
}

void twin::wait() {
  const double began = MPI_Wtime();
  MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
  seconds_ += MPI_Wtime() - began;
}

/// Panel k of A, and of B: a part of this rank's own block, or the buffer in which the panel has arrived.
matrix twin::panel_of_a(std::size_t k) {
  const auto& p = panels_[k];
  if (p.column == j_) return {&a_(0, p.first - what_.cut_columns(j_)), a_.rows, p.width(), a_.stride};
  return {a_panel_[k % 2].data(), a_.rows, p.width(), a_.stride};
}

matrix twin::panel_of_b(std::size_t k) {
  const auto& p = panels_[k];
  if (p.row == i_) return {&b_(p.first - what_.cut_rows(i_), 0), p.width(), b_.columns, b_.stride};
  return {b_panel_[k % 2].data(), p.width(), b_.columns, p.width()};
}
// end

void twin::multiply_panel(std::size_t k) { summa::multiply(c_, panel_of_a(k), panel_of_b(k), k > 0); }

void twin::spoil() { std::fill(c_memory_.begin(), c_memory_.end(), std::numeric_limits<double>::quiet_NaN()); }

}  // namespace summa
