/// @file
/// The data of the demonstration: three fields of doubles, with a value for every cell that follows from its global
/// index.
#pragma once

#include <vector>

#include "wherry/wherry.hpp"

namespace halo_demo {

inline constexpr int width = 3;
inline constexpr int count = 3;

/// This rank's part of three fields on a periodic grid with size^3 cells on each rank.
class fields {
 public:
  /// Local. Fills the cores. @param on_device true if the exchanged fields lie in the memory of the device in use
  fields(const wherry::process_grid& grid, long size, bool on_device = false);

  /// The fields to exchange.
  std::vector<wherry::field<double, 3>>& all() { return on_device_.empty() ? fields_ : on_device_; }

  /// Overwrites all halos with a value that no cell should have.
  void spoil_halos();
  /// The number of this rank's halo cells that do not have the value of the cell across the global edge that they
  /// should copy. The right values come from global indices, not from any exchange.
  long wrong_halo_cells();
  /// The number of this rank's core cells that were changed.
  long wrong_core_cells();
  /// The number of this rank's halo cells.
  long halo_cells() const;

 private:
  double expected(int field, const wherry::point<3>& local) const;
  /// Copies between the device and the host's images of the fields; does nothing without a device.
  void to_device();
  void from_device();

  long size_;
  wherry::point<3> first_{}, cells_{};               // global: this rank's first cell, and the whole grid
  std::vector<wherry::field<double, 3>> fields_;     // on the host: the exchanged fields, or images of them
  std::vector<wherry::field<double, 3>> on_device_;  // of the same layout
};

}  // namespace halo_demo
