/// @file
/// XArrays: XArray1<Grid1<T>> to XArray6<Grid6<T>> (KeLP, section 2: the storage model, figure 3).
#pragma once

#include <vector>

#include "wherry/motion/x_array.hpp"

#include "kelp/floor_plan.hpp"
#include "kelp/grid.hpp"
#include "kelp/runtime.hpp"

namespace kelp {

/// A distributed array of Grids with the structure of a FloorPlan. Each process knows the regions of all elements; only
/// its owner has the data of an element, in node-shared memory and at first filled with zeros. Movable, not copyable.
template <int D, class GridType> class XArray {
 public:
  static_assert(GridType::dimensions == D, "the grids of an XArray have as many dimensions as the XArray");
  using grid_type = GridType;
  using element_type = typename GridType::element_type;

  /// Collective, with the same FloorPlan on all processes.
  /// @throws wherry::error(argument) if an owner is not a process of KeLP, error(state) without a KelpConfig
  explicit XArray(const FloorPlan<D>& F)
      // Dense grids, because Fortran kernels take them.
      : plan_(F), array_(KelpConfig::in_use().comm(), F.plan(), wherry::x_array_options<D>{.pad_rows = false}) {
    grids_.reserve(static_cast<std::size_t>(F.size()));
    for (int i = 0; i < F.size(); ++i)
      grids_.emplace_back(F(i), array_.owns(i) ? array_[i] : wherry::grid_view<element_type, D>());
  }

  /// Element i; an element of another process has only its `region()`. Local.
  /// @throws wherry::error(argument) if i is out of range
  GridType& operator()(int i) { return grids_[detail::checked("XArray", i, grids_.size())]; }
  const GridType& operator()(int i) const { return grids_[detail::checked("XArray", i, grids_.size())]; }
  bool present(int i) const { return array_.owns(i); }
  int owner(int i) const { return plan_.owner(i); }
  int size() const { return plan_.size(); }
  const FloorPlan<D>& floorplan() const { return plan_; }

  /// The same array as a Wherry object.
  wherry::x_array<element_type, D>& array() { return array_; }
  const wherry::x_array<element_type, D>& array() const { return array_; }

 private:
  FloorPlan<D> plan_;
  wherry::x_array<element_type, D> array_;
  std::vector<GridType> grids_;
};

template <class G> using XArray1 = XArray<1, G>;
template <class G> using XArray2 = XArray<2, G>;
template <class G> using XArray3 = XArray<3, G>;
template <class G> using XArray4 = XArray<4, G>;
template <class G> using XArray5 = XArray<5, G>;
template <class G> using XArray6 = XArray<6, G>;

}  // namespace kelp
