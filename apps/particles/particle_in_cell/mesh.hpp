// The charges on the nodes of a mesh, which is divided into boxes: each rank has several.
#pragma once

#include <cstddef>
#include <vector>

#include "wherry/wherry.hpp"

#include "ring.hpp"

namespace charges {

using array = wherry::x_array<double, 2>;

class mesh {
 public:
  /// Collective.
  mesh(const wherry::communicator& comm, int cells, int cells_of_a_box);

  /// Brings particles to the ranks that own their cells, and returns the number that have left this rank. Collective.
  std::size_t move(particles& p);
  /// Divides the charge of each particle among the four nodes around it, and adds up what the boxes give to the nodes
  /// that they share. Collective.
  /// @pre the particles have moved
  void deposit(const particles& p);
  /// Returns the charge density at a particle of this rank, from the four nodes around it. Local.
  double at(double x, double y) const;

  /// Returns the sum of `of(charge)` over all nodes. Collective.
  double sum(double (*of)(double charge)) const;
  /// Returns the charges of all nodes on rank 0, in rows from the lowest, and an empty list on the others. Collective.
  std::vector<double> gather() const;

  const wherry::floor_plan<2>& boxes() const { return density_.plan(); }

 private:
  /// A position: the box of this rank that has its cell, the cell, and the parts of the cell to the left of it and
  /// below it.
  struct place {
    int box;
    wherry::index_t column, row;
    double right, up;
  };
  place place_of(double x, double y) const;

  const wherry::domain<2> space_;
  array density_;
  wherry::particle_exchange<2> migrate_;
  wherry::mover add_up_;
};

}  // namespace charges
