// What a description leaves unfilled though it looks as if it should be filled. Pure; no MPI.
#pragma once

#include <string>
#include <vector>

#include "regular_floor_plan.hpp"

namespace wherry {

/// Halos on one side only, along a dimension that ends: nobody fills the last rank's. So it is meant by who differences
/// against the wind; or its n + 1 values sit on the planes of n cells, and it should have been said. A line for each,
/// empty where there is none.
/// @param fields as they are planned
std::string unfilled_rims(const std::vector<halo_field>& fields, const std::vector<regular_floor_plan>& cuts);

}  // namespace wherry
