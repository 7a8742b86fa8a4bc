/// @file
/// What NAS FT computes at each point, wherever the points lie: the initial field, its decay, its checksum.
#pragma once

#include <vector>

#include "problem.hpp"

namespace nas_ft {

using view = wherry::grid_view<complex, 3>;

/// Fills `cells` of the grid: two numbers of the NAS sequence a point, x fastest over the whole grid.
void fill_random(const view& grid, const wherry::box<3>& cells, const problem& what);

/// exp(-4 α π² |k|² t) for the wave numbers k of every point of the spectrum: a product of a factor an axis.
class decay {
 public:
  explicit decay(const problem& what);
  void set_time(int t);

  /// to = from × the factors; both cover `cells`, with x contiguous.
  void apply(const view& from, const view& to, const wherry::box<3>& cells) const;

 private:
  wherry::point<3> cells_;
  std::vector<double> factor_[3];
};

/// This grid's part of the sum of 1024 points, over the number of all points.
complex part_of_checksum(const view& grid, const wherry::box<3>& cells, const problem& what);

}  // namespace nas_ft
