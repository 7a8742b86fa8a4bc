// Finds which of some disjoint boxes has a cell, by bins of equal size.
#pragma once

#include <cstddef>
#include <vector>

#include "cells.hpp"

namespace wherry::particles {

class part_finder {
 public:
  part_finder() = default;
  part_finder(const std::vector<cell_box>& parts, std::size_t dimensions);

  /// The place of the box in the list; -1 if no box has the cell.
  int find(const cell& at) const;

 private:
  std::size_t bin_of(const cell& at) const;

  std::vector<cell_box> parts_;
  std::size_t dimensions_ = 0;
  cell_box whole_{};
  cell bin_{}, bins_{};              // the cells of a bin, and the bins, along each dimension
  std::vector<std::size_t> begins_;  // of each bin in `places_`
  std::vector<int> places_;
};

}  // namespace wherry::particles
