// Data dimensions to grid dimensions (paper 1, section 4).
#pragma once

#include <vector>

#include "wherry/halo/process_grid.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// Which grid dimension each data dimension is cut along; data dimensions beyond the grid's are not cut.
class axis_mapping {
 public:
  /// @throws error(argument) when `axes` names a grid dimension twice or one that does not exist.
  axis_mapping(const process_grid& grid, int dimensions, std::vector<int> axes);

  /// Ranks along each data dimension.
  std::vector<int> pieces() const;
  std::vector<bool> periodic() const;
  /// How far apart in rank neighbours along each data dimension are.
  regular_floor_plan::owner_strides rank_strides() const;
  /// The subdomain of a rank in the grid.
  subdomain_coordinates place_of(int rank) const;

 private:
  const process_grid& grid_;
  std::vector<int> axes_;  // -1: not cut
};

}  // namespace wherry
