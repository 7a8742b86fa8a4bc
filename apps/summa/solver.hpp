/// @file
/// SUMMA on Wherry's blocks: KeLP, section 3.
#pragma once

#include "operand.hpp"

namespace summa {

class solver {
 public:
  /// Collective. @pre as many ranks as the grid has
  solver(const wherry::communicator& comm, const problem& what, const std::string& transport, bool proxy = false,
         broadcast_by way = broadcast_by::owner);

  /// Computes C = A B: moves every panel to all ranks that need it, and multiplies.
  void multiply();
  /// Computes C = A B, but moves each panel while the one before it is multiplied.
  void multiply_ahead();

  /// relative_error() of the last product.
  double check();
  /// Forgets the last product, so that `check` cannot see an older one.
  void spoil();
  double communicating() const { return a_.communicating() + b_.communicating(); }
  /// Panels of A go along rows of the grid of ranks, panels of B along columns.
  std::string transport() const {
    const auto rows = a_.transport(), columns = b_.transport();
    return rows == columns ? rows : rows + " along rows, " + columns + " along columns";
  }

 private:
  problem what_;
  std::size_t panels_;
  wherry::floor_plan<2> blocks_;
  operand a_, b_;
  wherry::x_array<double, 2> c_;
};

}  // namespace summa
