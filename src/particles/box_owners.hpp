// The owners of cells, by a process grid (computed, not listed) or by a floor plan.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/motion/floor_plan.hpp"

#include "cells.hpp"

namespace wherry::particles {

/// @param image the whole periods by which `cells` must be shifted to intersect the box that was asked for
using near_visitor = std::function<void(int rank, const cell_box& cells, const cell& image)>;

class box_owners {
 public:
  box_owners() = default;
  box_owners(const box_owners&) = delete;
  box_owners& operator=(const box_owners&) = delete;
  virtual ~box_owners() = default;

  /// The rank that owns a cell of the space; -1 if there is none.
  virtual int owner_of(const cell& at) const = 0;
  /// Visits each box that intersects `near` after a shift by whole periods.
  virtual void for_each_near(const cell_box& near, const near_visitor& visit) const = 0;
  /// @param where the public class that asks
  /// @throws error(argument) if this rank may not know all boxes that are this many cells away
  virtual void require_reach(const char* /*where*/, const cell&, int /*rank*/) const {}
  /// Disjoint boxes of all cells of this rank.
  virtual std::vector<cell_box> own() const = 0;
};

template <int N> std::unique_ptr<box_owners> owners_by_grid(const process_grid& grid, const point<N>& cells);
template <int N>
std::unique_ptr<box_owners> owners_by_plan(const floor_plan<N>& plan, const domain<N>& cells, int rank);

}  // namespace wherry::particles
