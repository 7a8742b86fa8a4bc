#include "solver.hpp"

#include <algorithm>
#include <cmath>

namespace conjugate_gradient {
namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Computes several sums at once, so that the processor need not wait for each addition.
double dot(const double* a, const double* b, long count) {
  double sums[8] = {};
  long i = 0;
  for (; i + 8 <= count; i += 8)
    for (int k = 0; k < 8; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < count; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void add(double* into, double times, const double* what, long count) {
  for (long i = 0; i < count; ++i) into[i] += times * what[i];
}

}  // namespace

solver::solver(MPI_Comm comm, const problem& what, bring how)
    : comm_(comm),
      what_(what),
      how_(how),
      rank_(rank_of(comm)),
      ranks_(size_of(comm)),
      first_(what.cut(rank_, ranks_)),
      last_(what.cut(rank_ + 1, ranks_)),
      b_(what, first_, last_),
      u_(b_),
      r_(b_),
      z_(b_),
      q_(b_),
      p_(what, 1, what.n + 1),
      coarse_(what),
      sums_(static_cast<std::size_t>(coarse_.unknowns())) {
  if (rank_ > 0) before_ = rank_ - 1;
  if (rank_ + 1 < ranks_) after_ = rank_ + 1;
  for (int r = 0; r < ranks_; ++r) {
    from_.push_back(static_cast<int>((what.cut(r, ranks_) - 1) * p_.width()));
    counts_.push_back(static_cast<int>((what.cut(r + 1, ranks_) - what.cut(r, ranks_)) * p_.width()));
  }
  set_right_hand_side(what, b_);
}

std::string solver::collectives() const {
  auto words = "MPI_Allreduce of " + std::to_string(coarse_.unknowns() * sizeof(double)) + ", 16 and 8 bytes";
  if (how_ == bring::everything)
    words += ", MPI_Allgatherv of " + std::to_string(static_cast<std::size_t>(p_.own_count()) * sizeof(double));
  return words;
}

void solver::add_up(double* values, int count) {
  const double began = MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm_);
  in_collectives_ += MPI_Wtime() - began;
}

void solver::gather_all() {
  const double began = MPI_Wtime();
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p_.own(), counts_.data(), from_.data(), MPI_DOUBLE, comm_);
  in_collectives_ += MPI_Wtime() - began;
}

void solver::exchange_rows() {
  const double began = MPI_Wtime();
  const int cells = static_cast<int>(p_.width());
  MPI_Sendrecv(p_.row(first_), cells, MPI_DOUBLE, before_, 0, p_.row(last_), cells, MPI_DOUBLE, after_, 0, comm_,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(p_.row(last_ - 1), cells, MPI_DOUBLE, after_, 1, p_.row(first_ - 1), cells, MPI_DOUBLE, before_, 1,
               comm_, MPI_STATUS_IGNORE);
  in_messages_ += MPI_Wtime() - began;
}

double solver::multiply() {
  if (how_ == bring::everything)
    gather_all();
  else
    exchange_rows();
  for (long y = first_; y < last_; ++y) {
    const double *const here = p_.row(y), *const below = p_.row(y - 1), *const above = p_.row(y + 1);
    double* const into = q_.row(y);
    for (long x = 1; x <= what_.n; ++x) into[x] = 4 * here[x] - ((here[x - 1] + here[x + 1]) + (below[x] + above[x]));
  }
  return dot(p_.row(first_), q_.own(), q_.own_count());
}

void solver::precondition() {
  coarse_.restrict_to(sums_, r_);
  add_up(sums_.data(), coarse_.unknowns());
  coarse_.solve(sums_);
  coarse_.smooth_and_prolong(z_, r_, sums_);
}

void solver::products(double& rz, double& rr) {
  double both[2] = {dot(r_.own(), z_.own(), r_.own_count()), dot(r_.own(), r_.own(), r_.own_count())};
  add_up(both, 2);
  rz = both[0];
  rr = both[1];
}

outcome solver::solve(double tolerance) {
  const long count = b_.own_count();
  std::fill(u_.own(), u_.own() + count, 0.0);
  std::copy(b_.own(), b_.own() + count, r_.own());
  double rz = 0, rr = 0;
  precondition();
  products(rz, rr);
  std::copy(z_.own(), z_.own() + count, p_.row(first_));
  const double first = rr, most = 20 * static_cast<double>(what_.n);
  outcome found;
  while (rr > tolerance * tolerance * first && found.iterations < most) {
    double pq = multiply();
    add_up(&pq, 1);
    const double alpha = rz / pq, before = rz;
    double* const p = p_.row(first_);
    add(u_.own(), alpha, p, count);
    add(r_.own(), -alpha, q_.own(), count);
    precondition();
    products(rz, rr);
    const double beta = rz / before;
    const double* const z = z_.own();
    for (long i = 0; i < count; ++i) p[i] = z[i] + beta * p[i];
    ++found.iterations;
  }
  found.residual = std::sqrt(rr / first);
  return found;
}

double solver::error() const {
  double largest = error_of(what_, u_);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return largest;
}

}  // namespace conjugate_gradient
