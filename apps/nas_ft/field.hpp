/// @file
/// The computations of NAS FT at each point, for any distribution of the points: the initial field, its decay, and its
/// checksum.
#pragma once

#include <vector>

#include "problem.hpp"

namespace nas_ft {

using view = wherry::grid_view<complex, 3>;

/// Fills `cells` of the grid with two numbers of the NAS sequence for each point, x fastest over the whole grid.
void fill_random(const view& grid, const wherry::box<3>& cells, const problem& what);

/// The factors exp(-4 α π² |k|² t) for the wave number k of every point of the spectrum, as products of one factor for
/// each axis.
class decay {
 public:
  explicit decay(const problem& what);
  void set_time(int t);

  /// Sets to = from × the factors. Both arrays cover `cells`, with x contiguous.
  void apply(const view& from, const view& to, const wherry::box<3>& cells) const;

 private:
  wherry::point<3> cells_;
  std::vector<double> factor_[3];
};

/// This grid's part of the sum of 1024 points, divided by the number of all points.
complex part_of_checksum(const view& grid, const wherry::box<3>& cells, const problem& what);

}  // namespace nas_ft
