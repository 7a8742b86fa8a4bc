/// @file
/// The data of the demonstration: three fields of doubles, of which every cell knows what it should be.
#pragma once

#include <vector>

#include "wherry/wherry.hpp"

namespace halo_demo {

inline constexpr int width = 3;
inline constexpr int count = 3;

/// This rank's part of three fields on a periodic grid of size^3 cells a rank.
class fields {
 public:
  /// Local. Fills the cores.
  fields(const wherry::process_grid& grid, long size);

  std::vector<wherry::field<double, 3>>& all() { return fields_; }

  /// Overwrites all halos with what no cell should be.
  void spoil_halos();
  /// This rank's halo cells that are not the cell around the global edge that they should be. The right values come
  /// from global indices, not from any exchange.
  long wrong_halo_cells() const;
  /// This rank's core cells that were changed.
  long wrong_core_cells() const;
  /// Halo cells of this rank.
  long halo_cells() const;

 private:
  double expected(int field, const wherry::point<3>& local) const;

  long size_;
  wherry::point<3> first_{}, cells_{};  // global: my first cell, and the whole grid
  std::vector<wherry::field<double, 3>> fields_;
};

}  // namespace halo_demo
