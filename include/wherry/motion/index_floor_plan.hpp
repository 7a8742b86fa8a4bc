/// @file
/// Floor plans of index domains: lists of parts of any shape, each with the rank that owns it.
///
///     using wherry::index_set;  // here the nodes that the elements of each of two ranks touch
///     wherry::index_floor_plan<> touched({index_set::range(0, 61), index_set::range(50, 111)}, {0, 1});
///     auto owned = wherry::without_overlap(touched);  // nodes 50 to 60 belong to the first part
#pragma once

#include "wherry/motion/floor_plan.hpp"
#include "wherry/motion/index_domain.hpp"

namespace wherry {

/// A floor plan of index domains. The class is described in floor_plan.hpp.
template <index_domain Domain = index_set> using index_floor_plan = basic_floor_plan<Domain>;

}  // namespace wherry
