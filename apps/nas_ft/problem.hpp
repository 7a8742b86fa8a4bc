/// @file
/// The problem classes of NAS FT: grids, iterations, and the checksums that a correct program computes.
#pragma once

#include <complex>
#include <span>
#include <string_view>

#include "wherry/wherry.hpp"

namespace nas_ft {

using complex = std::complex<double>;

/// One class.
struct problem {
  std::string_view name;
  wherry::point<3> cells;
  std::span<const complex> checksums;  ///< after each iteration

  int iterations() const { return static_cast<int>(checksums.size()); }
  double points() const { return static_cast<double>(wherry::box_of_extents<3>(cells).size()); }
  /// The number of operations by NPB's count, in millions.
  double mega_operations() const;
};

inline constexpr double tolerance = 1e-12;  ///< relative, of each part

/// All classes: S, W, A, B and C.
std::span<const problem> problems();

/// The largest relative difference of any part of the checksums from the official ones.
double worst_error(const problem& what, std::span<const complex> checksums);

}  // namespace nas_ft
