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
  /// Local. Fills the cores. @param on_device what is exchanged lies in the memory of the device in use
  fields(const wherry::process_grid& grid, long size, bool on_device = false);

  /// What is exchanged.
  std::vector<wherry::field<double, 3>>& all() { return on_device_.empty() ? fields_ : on_device_; }

  /// Overwrites all halos with what no cell should be.
  void spoil_halos();
  /// This rank's halo cells that are not the cell around the global edge that they should be. The right values come
  /// from global indices, not from any exchange.
  long wrong_halo_cells();
  /// This rank's core cells that were changed.
  long wrong_core_cells();
  /// Halo cells of this rank.
  long halo_cells() const;

 private:
  double expected(int field, const wherry::point<3>& local) const;
  /// Between the device and the host's images; nothing where there is no device.
  void to_device();
  void from_device();

  long size_;
  wherry::point<3> first_{}, cells_{};               // global: my first cell, and the whole grid
  std::vector<wherry::field<double, 3>> fields_;     // the host's: what is exchanged, or images of it
  std::vector<wherry::field<double, 3>> on_device_;  // of the same layout
};

}  // namespace halo_demo
