/// @file
/// Makes boxes around tagged cells (Berger and Rigoutsos, 1991): a box is cut at an empty row or column, or else at the
/// row where the number of tagged cells changes most sharply, until all boxes are well filled.
#pragma once

#include <functional>

#include "problem.hpp"

namespace amr {

struct cluster_options {
  double filled = 0.8;   ///< share of tagged cells with which a box is good enough
  index_t least = 4;     ///< cells a side below which no box is cut
  index_t largest = 16;  ///< cells a side above which every box is cut
};

/// Returns disjoint boxes that contain all tagged cells of `whole`. Ranks with the same tags get the same boxes.
wherry::box_list<2> cluster(const box2& whole, const std::function<bool(const point2&)>& tagged,
                            const cluster_options& how = {});

}  // namespace amr
