// Warnings about halo cells at the edge of a mesh that no exchange fills although the description suggests it. Makes no
// MPI call.
#pragma once

#include <string>
#include <vector>

#include "wherry/geometry/point.hpp"

namespace wherry {

/// The halo widths of a field at the two ends of a dimension that is not periodic, where no rank fills them.
struct field_rim {
  std::size_t field = 0;
  int dimension = 0, dimensions = 1;
  index_t minus = 0, plus = 0;
};

/// One line of warning for each field with a halo at one end of a dimension only; empty if there is none. Such a halo
/// may be intended (upwind differences), or n + 1 values on the planes of n cells were described as cells with a halo.
/// @param rims of fields with all values in cells
std::string unfilled_rims(const std::vector<field_rim>& rims);

}  // namespace wherry
