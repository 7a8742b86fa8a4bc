/// @file
/// Grids: Grid1<T> to Grid6<T> (KeLP, section 2: the storage model).
#pragma once

#include <memory>

#include "wherry/motion/grid.hpp"

#include "kelp/region.hpp"

namespace kelp {

/// A multidimensional array with a Region as its index space, like a Fortran 90 allocatable array: `Grid2<double>
/// A(Region2(3,-5, 7,-1))` is `real A(3:7,-5:-1)`. It is dense, and the first index varies fastest. The grids of an
/// XArray live in the XArray's memory, and hold data only on their owner. Movable, not copyable.
template <int D, class T> class Grid {
 public:
  using element_type = T;
  static constexpr int dimensions = D;

  Grid() = default;
  /// Makes a grid with memory of its own, filled with zeros.
  explicit Grid(const Region<D>& R)
      : own_(std::make_unique<wherry::grid<T, D>>(R.box())), region_(R), values_(own_->values()) {}
  /// Makes an element of an XArray: `values` over `R`, or no data on other processes than its owner.
  Grid(const Region<D>& R, const wherry::grid_view<T, D>& values) : region_(R), values_(values) {}

  const Region<D>& region() const { return region_; }
  /// True if this process has the data.
  bool present() const { return data() != nullptr; }
  /// The address of the element at `region().lower()`, for a Fortran kernel; null if this process does not have the
  /// data.
  T* data() const { return values_.data(); }

  /// The element at these indices. They are not checked; only for a grid that is present.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == D)
  T& operator()(Indices... indices) const {
    return values_(indices...);
  }
  T& operator()(const Point<D>& p) const
    requires(D > 1)
  {
    return values_[p];
  }
  T& operator[](const Point<D>& p) const { return values_[p]; }
  void fill(const T& value) const {
    wherry::for_each_point(region_.box(), [&](const auto& p) { values_[p] = value; });
  }

  const wherry::grid_view<T, D>& values() const { return values_; }

 private:
  std::unique_ptr<wherry::grid<T, D>> own_;
  Region<D> region_;
  wherry::grid_view<T, D> values_;
};

template <class T> using Grid1 = Grid<1, T>;
template <class T> using Grid2 = Grid<2, T>;
template <class T> using Grid3 = Grid<3, T>;
template <class T> using Grid4 = Grid<4, T>;
template <class T> using Grid5 = Grid<5, T>;
template <class T> using Grid6 = Grid<6, T>;

}  // namespace kelp
