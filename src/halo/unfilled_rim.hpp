// What a description leaves unfilled though it looks as if it should be filled. Pure; no MPI.
#pragma once

#include <string>
#include <vector>

#include "wherry/geometry/point.hpp"

namespace wherry {

/// Where a dimension ends: the halos of a field's first and last ranks with cells, which nobody fills.
struct field_rim {
  std::size_t field = 0;
  int dimension = 0, dimensions = 1;
  index_t minus = 0, plus = 0;
};

/// A halo on one side only is meant by who differences against the wind; or n + 1 values sit on the planes of n cells,
/// and it should have been said. A line for each, empty where there is none.
/// @param rims of fields whose values sit in cells
std::string unfilled_rims(const std::vector<field_rim>& rims);

}  // namespace wherry
