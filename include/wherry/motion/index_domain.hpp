/// @file
/// The concept `index_domain`: the operations that a set of points must have so that movers can move the values at its
/// points (KeLP, section 5). Implement it for a kind of index space that Wherry does not have; for boxes use `box`, for
/// sets of integers `index_set`.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/motion/index_set.hpp"

namespace wherry {

namespace detail {

/// Stands for any visitor in the concept below.
struct place_visitor {
  void operator()(index_t first, index_t count) const;
};

template <int N> std::integral_constant<int, N> dimensions_of(const std::vector<box<N>>&);

}  // namespace detail

/// A finite set of points, in an order that is the same for all domains of its type. The domain knows the place of each
/// of its points in memory:
///
///     index_t size() const;                                // number of points
///     D intersection(const D& a, const D& b);              // the points that both have
///     void for_each_place(const D& section, visit) const;  // the places of the points of `section`: see below
///     std::vector<box<N>> cover() const;                   // boxes that together contain all points
///
/// `for_each_place` calls `visit(first, count)` for each run of consecutive places that the points of `section` have in
/// this domain, in their order, with 0 <= place < size().
///
/// Covers are used to find the domains that may have points in common without comparing all pairs. A cover may contain
/// other points too: a bounding box is good enough for compact domains, and a tighter cover is faster. The domain
/// chooses the space of its cover, of 1 to 6 dimensions, which must be the same for all domains of the type. Besides
/// `index_set`, a domain may be a triangle of a matrix, the columns on the cells of a mesh, or a part with a numbering
/// of its own.
template <class D>
concept index_domain = std::copyable<D> && requires(const D& a, const D& b, const detail::place_visitor& visit) {
  { a.size() } -> std::convertible_to<index_t>;
  { intersection(a, b) } -> std::convertible_to<D>;
  detail::dimensions_of(a.cover());
  a.for_each_place(b, visit);
};

static_assert(index_domain<index_set>);

namespace detail {

/// The number of dimensions of a domain's cover.
template <index_domain D>
inline constexpr int cover_dimensions = decltype(detail::dimensions_of(std::declval<const D&>().cover()))::value;

}  // namespace detail

/// An index domain that also has `difference(a, b)`, the points of `a` that are not in `b`. `without_overlap` needs it
/// to give shared points a single owner.
template <class D>
concept divisible_domain = index_domain<D> && requires(const D& a, const D& b) {
  { difference(a, b) } -> std::convertible_to<D>;
};

// Defined in index_motion_plan.hpp and index_array.hpp.
template <index_domain Domain = index_set> class index_motion_plan;
template <class T, index_domain Domain = index_set> class index_array;

}  // namespace wherry
