/// @file
/// What a set of points must offer so that movers can move its values (paper 4, section 5: "an index domain could be
/// defined along with appropriate region-calculus operations").
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/motion/index_set.hpp"

namespace wherry {

namespace detail {

struct place_visitor {
  void operator()(index_t first, index_t count) const;
};

template <int N> std::integral_constant<int, N> dimensions_of(const std::vector<box<N>>&);

}  // namespace detail

/// A finite set of points in an order that all domains of the type share, which knows where each stands in memory:
///
///     index_t size() const;                                // number of points
///     D intersection(const D& a, const D& b);              // the points that both have: the region calculus
///     void for_each_place(const D& section, visit) const;  // visit(first, count): where the points of a `section` of
///                                                          // this domain stand in memory, 0 ≤ place < size, in order
///     std::vector<box<N>> cover() const;                   // boxes that together hold all points, and perhaps others
///
/// The cover finds the domains that may have points in common without comparing all pairs: a bounding box will do where
/// domains are compact, the tighter the better. Its space, of 1 to 6 dimensions, is the domain's own affair, but the
/// same for all. `index_set` is such a domain; others are triangles of matrices, columns on the cells of a mesh, parts
/// with a numbering of their own. Boxes have floor plans, x-arrays and movers of their own.
template <class D>
concept index_domain = std::copyable<D> && requires(const D& a, const D& b, const detail::place_visitor& visit) {
  { a.size() } -> std::convertible_to<index_t>;
  { intersection(a, b) } -> std::convertible_to<D>;
  detail::dimensions_of(a.cover());
  a.for_each_place(b, visit);
};

static_assert(index_domain<index_set>);

/// Dimensions of a domain's cover.
template <index_domain D>
inline constexpr int cover_dimensions = decltype(detail::dimensions_of(std::declval<const D&>().cover()))::value;

/// Can a domain be divided? Then shared points can be given one owner.
template <class D>
concept divisible_domain = index_domain<D> && requires(const D& a, const D& b) {
  { difference(a, b) } -> std::convertible_to<D>;
};

// index_motion_plan.hpp and index_array.hpp
template <index_domain Domain = index_set> class index_motion_plan;
template <class T, index_domain Domain = index_set> class index_array;

}  // namespace wherry
