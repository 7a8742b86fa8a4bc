/// @file
/// Red-black Gauss-Seidel on Wherry's blocks: KeLP, figures 4 and 5.
#pragma once

#include <string>

#include "wherry/wherry.hpp"

#include "harness/contest.hpp"
#include "problem.hpp"

namespace redblack3d {

class solver {
 public:
  /// Collective. Blocks go to the ranks in order, several to each if there are more blocks than ranks.
  solver(const wherry::communicator& comm, const problem& what, const wherry::mover_options& how);

  /// Makes one sweep: the red cells, then the black ones.
  void sweep();
  /// Makes one sweep in which ghost cells move while the cells that do not need them are computed.
  void sweep_overlapped();

  void reset();
  state look();
  double communicating() const { return fill_ghosts_.seconds(); }
  std::string transport() const { return fill_ghosts_.carried().transport(); }

 private:
  problem what_;
  wherry::floor_plan<3> plan_;
  wherry::x_array<double, 3> u_, f_;
  bench::timed<wherry::mover> fill_ghosts_;
};

}  // namespace redblack3d
