/// @file
/// Periodicities along the user's dimensions (GCL, section 4).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

#include "wherry/core/error.hpp"

#include "gcl/layout_map.hpp"

namespace GCL {

/// Any number of truth values: `period_type(per0, per1, per2)` needs no number of dimensions (GCL, figure 5).
class period_type {
 public:
  template <std::integral... Value>
    requires(sizeof...(Value) > 0)
  explicit period_type(Value... values) : values_{static_cast<bool>(values)...} {}

  std::size_t size() const { return values_.size(); }
  bool value(std::size_t dimension) const { return values_[dimension]; }

 private:
  std::vector<bool> values_;
};

namespace detail {

/// The truth values under the names of GCL's boollists: `value0`, `value1`, …
template <int N> struct boollist_values;
template <> struct boollist_values<1> {
  bool value0 = false;
};
template <> struct boollist_values<2> {
  bool value0 = false, value1 = false;
};
template <> struct boollist_values<3> {
  bool value0 = false, value1 = false, value2 = false;
};
template <> struct boollist_values<4> {
  bool value0 = false, value1 = false, value2 = false, value3 = false;
};

/// The value of dimension `dimension`. (Names cannot be indexed; there are at most four.)
template <class Values> auto& value_of(Values& values, int dimension) {
  if constexpr (requires { values.value3; })
    if (dimension == 3) return values.value3;
  if constexpr (requires { values.value2; })
    if (dimension == 2) return values.value2;
  if constexpr (requires { values.value1; })
    if (dimension == 1) return values.value1;
  return values.value0;
}

}  // namespace detail

/// N truth values: entry d belongs to the user's dimension d.
template <int N> class boollist : public detail::boollist_values<N> {
 public:
  static_assert(N >= 1 && N <= 4, "process grids have 1 to 4 dimensions");
  static constexpr int length = N;

  template <std::integral... Value>
    requires(sizeof...(Value) == static_cast<std::size_t>(N))
  explicit boollist(Value... values) : detail::boollist_values<N>{static_cast<bool>(values)...} {}
  /// @throws wherry::error(argument) if there are not N values
  boollist(const period_type& values) {
    if (values.size() != static_cast<std::size_t>(N))
      throw wherry::error(wherry::error_kind::argument, "boollist",
                          wherry::detail::text("there are ", values.size(), " periodicities, expected ", N,
                                               ", one for each dimension"));
    for (int d = 0; d < N; ++d) detail::value_of(*this, d) = values.value(static_cast<std::size_t>(d));
  }

  static constexpr int size() { return N; }
  bool value(int dimension) const { return detail::value_of(*this, dimension); }
  template <int Dimension> bool value() const {
    static_assert(Dimension >= 0 && Dimension < N, "the boollist has no such dimension");
    return value(Dimension);
  }
  bool operator[](int dimension) const { return value(dimension); }
  bool operator==(const boollist& other) const {
    for (int d = 0; d < N; ++d)
      if (value(d) != other.value(d)) return false;
    return true;
  }
  /// Writes the N values to `values`.
  template <class Values> void copy_out(Values* values) const {
    for (int d = 0; d < N; ++d) values[d] = value(d);
  }

  /// The values in the order of the process grid's dimensions: entry d of `Map` is the grid dimension of the user's
  /// dimension d.
  template <class Map> boollist permute() const {
    static_assert(Map::length == N, "the layout_map and the boollist differ in their number of dimensions");
    Map::must_be_permutation();
    boollist result = *this;
    for (int d = 0; d < N; ++d) detail::value_of(result, Map::at(d)) = value(d);
    return result;
  }
};

/// GCL has the name in this namespace, too.
namespace gcl_utils {
using GCL::boollist;
}

}  // namespace GCL
