/// @file
/// Regions and the Region calculus: Region1 to Region6 (KeLP, section 2, table 1 and figure 2).
#pragma once

#include <ostream>
#include <utility>

#include "wherry/geometry/box_list.hpp"

#include "kelp/point.hpp"

namespace kelp {

/// The points from `lower` to `upper`, both included, as in Fortran's A(3:7,-5:-1): `Region2(Point2(3,-5),
/// Point2(7,-1))`. A region is empty if an upper bound is less than its lower bound. It converts to and from
/// `wherry::box`, which excludes its upper bound.
template <int D> class Region {
 public:
  Region() = default;  ///< empty
  Region(const Point<D>& lower, const Point<D>& upper) : cells_{lower, upper} {
    for (auto& last : cells_.upper) ++last;
  }
  /// Takes all lower bounds, then all upper bounds: `Region2(3,-5, 7,-1)`.
  template <std::integral... Bounds>
    requires(sizeof...(Bounds) == 2 * D)
  Region(Bounds... bounds) {
    const index_t list[] = {static_cast<index_t>(bounds)...};
    for (std::size_t d = 0; d < D; ++d) cells_.lower[d] = list[d], cells_.upper[d] = list[D + d] + 1;
  }
  Region(const wherry::box<D>& cells) : cells_(cells) {}
  operator const wherry::box<D>&() const { return cells_; }
  const wherry::box<D>& box() const { return cells_; }

  Point<D> lower() const { return cells_.lower; }
  Point<D> upper() const { return Point<D>(cells_.upper) - Point<D>(wherry::filled<D>(1)); }
  index_t lower(int d) const { return lower()(d); }
  index_t upper(int d) const { return upper()(d); }
  Point<D> extents() const { return cells_.extents(); }
  index_t extents(int d) const { return cells_.extent(d); }
  index_t size() const { return cells_.size(); }
  bool empty() const { return cells_.empty(); }
  bool inside(const Point<D>& p) const { return cells_.contains(static_cast<const wherry::point<D>&>(p)); }

  /// True if both are the same set of points.
  friend bool operator==(const Region& R, const Region& S) { return R.cells_ == S.cells_; }
  /// Prints a region as [3:7,-5:-1].
  friend std::ostream& operator<<(std::ostream& out, const Region& R) {
    for (int d = 0; d < D; ++d) out << (d == 0 ? '[' : ',') << R.lower(d) << ':' << R.upper(d);
    return out << ']';
  }

 private:
  wherry::box<D> cells_;
};

/// The intersection.
template <int D> Region<D> operator*(const Region<D>& R, const Region<D>& S) {
  return wherry::intersection(R.box(), S.box());
}
/// `R` extended by `n` points on every side, or reduced if `n` is negative.
template <int D> Region<D> grow(const Region<D>& R, index_t n) { return wherry::grow(R.box(), n); }
/// `R` extended by `n(d)` points on both sides of dimension d.
template <int D> Region<D> grow(const Region<D>& R, const Point<D>& n) { return wherry::grow<D>(R.box(), n, n); }
template <int D> Region<D> shift(const Region<D>& R, const Point<D>& offset) {
  return wherry::shift<D>(R.box(), offset);
}
/// The smallest region that holds both.
template <int D> Region<D> bounding(const Region<D>& R, const Region<D>& S) {
  return wherry::bounding_box(R.box(), S.box());
}
template <int D> Region<D> coarsen(const Region<D>& R, index_t ratio) { return wherry::coarsen(R.box(), ratio); }
template <int D> Region<D> refine(const Region<D>& R, index_t ratio) { return wherry::refine(R.box(), ratio); }
/// The points of `R` that are not in `S`, as disjoint regions.
template <int D> std::vector<Region<D>> difference(const Region<D>& R, const Region<D>& S) {
  const auto parts = wherry::difference(R.box(), S.box());
  return {parts.begin(), parts.end()};
}

using Region1 = Region<1>;
using Region2 = Region<2>;
using Region3 = Region<3>;
using Region4 = Region<4>;
using Region5 = Region<5>;
using Region6 = Region<6>;

}  // namespace kelp
