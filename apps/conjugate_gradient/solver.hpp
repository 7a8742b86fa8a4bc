/// @file
/// Conjugate gradients for the five-point Laplacian on strips of rows, in plain MPI, as such solvers usually are.
#pragma once

#include <mpi.h>

#include <string>

#include "coarse_grid.hpp"
#include "problem.hpp"

namespace conjugate_gradient {

/// The way in which a rank gets the parts of p that it needs for the product with the matrix.
enum class bring {
  everything,  ///< all of p, from all ranks, as programs for arbitrary matrices do
  rows,        ///< the rows beside its own, from its neighbours
};

/// The result of a solution.
struct outcome {
  int iterations = 0;
  double residual = 0;  ///< divided by the residual of the first guess, zero
};

class solver {
 public:
  /// @pre no more ranks than rows
  solver(MPI_Comm comm, const problem& what, bring how);

  /// Collective. Iterates from zero until the residual has shrunk by `tolerance`.
  outcome solve(double tolerance);
  /// Collective. Returns the largest difference from the analytic solution.
  double error() const;
  /// The seconds that this rank has spent in collectives, and in messages to its neighbours, since the beginning.
  double in_collectives() const { return in_collectives_; }
  double in_messages() const { return in_messages_; }
  /// The collectives of an iteration, in words.
  std::string collectives() const;

 private:
  void add_up(double* values, int count);
  void gather_all();
  void exchange_rows();
  /// Computes q = A p and returns p·q of this rank's rows.
  double multiply();
  /// Computes z = M r: a step of Jacobi's method, and the coarse grid's correction.
  void precondition();
  /// r·z and r·r of all ranks.
  void products(double& rz, double& rr);

  MPI_Comm comm_;
  problem what_;
  bring how_;
  int rank_ = 0, ranks_ = 1, before_ = MPI_PROC_NULL, after_ = MPI_PROC_NULL;
  long first_, last_;
  strip b_, u_, r_, z_, q_;
  strip p_;                         // all rows; `bring` says which rows of other ranks are filled
  std::vector<int> counts_, from_;  // of all ranks' rows in p
  coarse_grid coarse_;
  std::vector<double> sums_;
  double in_collectives_ = 0, in_messages_ = 0;
};

}  // namespace conjugate_gradient
