/// @file
/// Boxes around tagged cells (Berger and Rigoutsos, 1991): cut where a row or column is empty, else where their counts
/// turn most, until boxes are well filled.
#pragma once

#include <functional>

#include "problem.hpp"

namespace amr {

struct cluster_options {
  double filled = 0.8;   ///< share of tagged cells with which a box is good enough
  index_t least = 4;     ///< cells a side below which no box is cut
  index_t largest = 16;  ///< cells a side above which every box is cut
};

/// Disjoint boxes that hold all tagged cells of `whole`, the same wherever the tags are the same.
wherry::box_list<2> cluster(const box2& whole, const std::function<bool(const point2&)>& tagged,
                            const cluster_options& how = {});

}  // namespace amr
