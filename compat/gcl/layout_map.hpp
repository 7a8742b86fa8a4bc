/// @file
/// `layout_map`: a permutation of dimensions (GCL, section 4).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/geometry/layout.hpp"

namespace GCL {

/// For data: entry d is the place of the user's dimension d in the order of increasing strides. Fortran's arrays are
/// `layout_map<0,1,2>`, C's `layout_map<2,1,0>`. For processes: entry d is the dimension of the process grid along
/// which the user's dimension d is divided. A layout_map may hold any numbers; patterns need a permutation.
template <int... Place> struct layout_map {
  static constexpr int length = static_cast<int>(sizeof...(Place));
  static constexpr std::array<int, sizeof...(Place)> places{Place...};

  static constexpr int at(int dimension) { return places[static_cast<std::size_t>(dimension)]; }
  template <int Dimension> static constexpr int at() { return std::get<Dimension>(places); }
  constexpr int operator[](int dimension) const { return at(dimension); }
  static constexpr bool is_permutation() { return wherry::layout<length>{places}.is_permutation(); }

  /// Returns the value with the number that is entry `Dimension`.
  template <int Dimension, class... Value>
    requires(sizeof...(Value) == sizeof...(Place))
  static constexpr decltype(auto) select(Value&&... values) {
    return one_of<places[Dimension]>(std::forward<Value>(values)...);
  }

  /// The dimension at a place: `find<0>()` is the dimension of stride 1.
  template <int Wanted> static constexpr int find() {
    static_assert(Wanted >= 0 && Wanted < length, "the layout_map has no such place");
    int dimension = 0;
    while (at(dimension) != Wanted) ++dimension;
    return dimension;
  }
  /// Returns the value of the dimension at a place, from one value for each of the user's dimensions.
  template <int Wanted, class... Value>
    requires(sizeof...(Value) > 0 && sizeof...(Value) == sizeof...(Place))
  static constexpr decltype(auto) find(Value&&... values) {
    return one_of<find<Wanted>()>(std::forward<Value>(values)...);
  }

  /// The same layout as a Wherry object.
  static constexpr wherry::layout<length> layout() {
    must_be_permutation();
    return {places};
  }
  /// The same permutation as Wherry's mapping of data dimensions to grid dimensions.
  static std::vector<int> axes() {
    must_be_permutation();
    return {Place...};
  }
  static constexpr void must_be_permutation() {
    static_assert(is_permutation(), "the layout_map of a pattern names each place from 0 on exactly once");
  }

 private:
  /// Returns a variable by reference, and a temporary by value.
  template <int Number, class... Value> static constexpr decltype(auto) one_of(Value&&... values) {
    constexpr auto number = static_cast<std::size_t>(Number);
    using one = std::tuple_element_t<number, std::tuple<Value...>>;
    return static_cast<one>(std::get<number>(std::forward_as_tuple(std::forward<Value>(values)...)));
  }
};

/// The composition of two maps: entry d is the entry of `Outer` at the place that `Inner` has for d.
template <class Outer, class Inner> struct layout_transform;
template <class Outer, int... Place> struct layout_transform<Outer, layout_map<Place...>> {
  using type = layout_map<Outer::template at<Place>()...>;
};

namespace detail {

template <class Dimensions> struct in_order;
template <int... Dimension> struct in_order<std::integer_sequence<int, Dimension...>> {
  using type = layout_map<Dimension...>;
};

}  // namespace detail

/// `layout_map<0, 1, …>`.
template <int N> struct default_layout_map : detail::in_order<std::make_integer_sequence<int, N>> {};

}  // namespace GCL
