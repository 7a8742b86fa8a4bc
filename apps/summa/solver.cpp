#include "solver.hpp"

#include <algorithm>
#include <limits>

namespace summa {
namespace {

// begin: what a user writes
wherry::floor_plan<2> cut_into_blocks(const problem& p) {
  wherry::floor_plan<2> plan;
  for (int i = 0; i < p.rows; ++i)
    for (int j = 0; j < p.columns; ++j)
      plan.add({{p.cut_rows(i), p.cut_columns(j)}, {p.cut_rows(i + 1), p.cut_columns(j + 1)}}, p.rank(i, j));
  return plan;
}
// end

}  // namespace

solver::solver(const wherry::communicator& comm, const problem& what, const std::string& transport, bool proxy,
               broadcast_by way)
    : what_(what),
      panels_(what.panels().size()),
      blocks_(cut_into_blocks(what)),
      a_(comm, blocks_, what, 1, transport, proxy, way),
      b_(comm, blocks_, what, 0, transport, proxy, way),
      c_(comm, blocks_) {
  fill_a(what_, comm.rank(), a_.mine());
  fill_b(what_, comm.rank(), b_.mine());
}

void solver::multiply() {
  const auto c = matrix_of(c_.blocks().front().values);
  for (std::size_t k = 0; k < panels_; ++k) {
    a_.start(k);
    b_.start(k);
    a_.wait(k);
    b_.wait(k);
    summa::multiply(c, a_.panel(k), b_.panel(k), k > 0);
  }
}

void solver::multiply_ahead() {
  const auto c = matrix_of(c_.blocks().front().values);
  a_.start(0);
  b_.start(0);
  for (std::size_t k = 0; k < panels_; ++k) {
    a_.wait(k);
    b_.wait(k);
    if (k + 1 < panels_) {
      a_.start(k + 1);
      b_.start(k + 1);
    }
    summa::multiply(c, a_.panel(k), b_.panel(k), k > 0);
  }
}

double solver::check() {
  return relative_error(c_.comm().users_handle(), what_, a_.mine(), b_.mine(), matrix_of(c_.blocks().front().values));
}

void solver::spoil() {
  const auto c = matrix_of(c_.blocks().front().values);
  for (long j = 0; j < c.columns; ++j) std::fill_n(&c(0, j), c.rows, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace summa
