/// @file
/// Points: Point1 to Point6 (KeLP, table 1).
#pragma once

#include <concepts>
#include <cstddef>
#include <ostream>

#include "wherry/geometry/point.hpp"

namespace kelp {

using wherry::index_t;

/// A point ⟨i0, i1, …⟩ of Z^D.
template <int D> class Point {
 public:
  Point() = default;
  template <std::integral... Indices>
    requires(sizeof...(Indices) == D)
  explicit(D == 1) Point(Indices... indices) : at_{static_cast<index_t>(indices)...} {}
  Point(const wherry::point<D>& at) : at_(at) {}
  operator const wherry::point<D>&() const { return at_; }

  /// The coordinate of dimension `d`, counted from 0.
  index_t& operator()(int d) { return at_[static_cast<std::size_t>(d)]; }
  index_t operator()(int d) const { return at_[static_cast<std::size_t>(d)]; }

  friend Point operator+(Point p, const Point& q) {
    for (int d = 0; d < D; ++d) p(d) += q(d);
    return p;
  }
  friend Point operator-(Point p, const Point& q) {
    for (int d = 0; d < D; ++d) p(d) -= q(d);
    return p;
  }
  friend Point operator-(const Point& p) { return Point() - p; }
  bool operator==(const Point&) const = default;

  friend std::ostream& operator<<(std::ostream& out, const Point& p) {
    for (int d = 0; d < D; ++d) out << (d == 0 ? '<' : ',') << p(d);
    return out << '>';
  }

 private:
  wherry::point<D> at_{};
};

using Point1 = Point<1>;
using Point2 = Point<2>;
using Point3 = Point<3>;
using Point4 = Point<4>;
using Point5 = Point<5>;
using Point6 = Point<6>;

}  // namespace kelp
