/// @file
/// A or B on Wherry's blocks: one rank's block of it, and the panels that come to the rank one by one.
#pragma once

#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/contest.hpp"
#include "problem.hpp"

namespace summa {

/// Views a whole grid as a matrix.
matrix matrix_of(const wherry::grid_view<double, 2>& g);

/// The way in which a panel gets from its owner to the ranks of a row or column.
enum class broadcast_by {
  owner,  ///< the owner sends it to each of them, as in the paper
  tree    ///< a binomial tree
};

class operand {
 public:
  /// Collective. The matrix is cut into panels along `dimension`, and a panel goes to all ranks whose blocks lie beside
  /// the owner's along it: panels of A along 1 (its columns) to the ranks of a row, panels of B along 0 to those of a
  /// column.
  operand(const wherry::communicator& comm, const wherry::floor_plan<2>& blocks, const problem& what, int dimension,
          const std::string& transport, bool proxy, broadcast_by way);

  void start(std::size_t k) { moves_[k].start(); }
  void wait(std::size_t k) { moves_[k].wait(); }
  /// Panel k, valid after `wait(k)` and until `start(k + 2)`: a part of this rank's own block, or the array in which
  /// the panel has arrived.
  matrix panel(std::size_t k);

  matrix mine() { return matrix_of(block_.blocks().front().values); }
  double communicating() const;
  std::string transport() const { return moves_.front().carried().transport(); }

 private:
  std::vector<summa::panel> panels_;
  std::size_t dimension_;
  wherry::x_array<double, 2> block_;
  std::vector<wherry::x_array<double, 2>> arrived_;  ///< two: one panel arrives while the other is multiplied
  std::vector<bench::timed<wherry::mover>> moves_;   ///< one mover for each panel
};

}  // namespace summa
