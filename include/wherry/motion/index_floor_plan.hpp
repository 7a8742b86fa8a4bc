/// @file
/// Floor plans of index domains: parts of any shape, each with an owner. Pure values; no MPI.
#pragma once

#include "wherry/motion/floor_plan.hpp"
#include "wherry/motion/index_domain.hpp"

namespace wherry {

/// What `floor_plan` is for boxes.
template <index_domain Domain = index_set> using index_floor_plan = basic_floor_plan<Domain>;

}  // namespace wherry
