// Maps data dimensions to grid dimensions (GCL, section 4).
#pragma once

#include <vector>

#include "wherry/halo/process_grid.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// For each data dimension, the grid dimension along which it is cut. Data dimensions beyond the grid's are not cut.
class axis_mapping {
 public:
  /// @throws error(argument) if `axes` names a grid dimension that does not exist, names one twice, or omits one with
  ///         several ranks.
  axis_mapping(const process_grid& grid, int dimensions, std::vector<int> axes);

  /// The number of ranks along each data dimension.
  std::vector<int> pieces() const;
  std::vector<bool> periodic() const;
  /// The difference between the rank numbers of neighbours along each data dimension.
  regular_floor_plan::owner_strides rank_strides() const;
  /// The subdomain of a rank in the grid.
  subdomain_coordinates place_of(int rank) const;

 private:
  const process_grid& grid_;
  std::vector<int> axes_;  // -1 for a dimension that is not cut
};

}  // namespace wherry
