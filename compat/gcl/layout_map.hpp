/// @file
/// `layout_map`: a permutation of dimensions (paper 1, section 4).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "wherry/geometry/layout.hpp"

namespace GCL {

/// For data: entry d is the place of the user's dimension d in the order of increasing strides; Fortran's arrays are
/// `layout_map<0,1,2>`, C's `layout_map<2,1,0>`. For processes: entry d is the dimension of the process grid along
/// which the user's dimension d is cut.
template <int... Place> struct layout_map {
  static constexpr int length = static_cast<int>(sizeof...(Place));
  static constexpr std::array<int, sizeof...(Place)> places{Place...};

  static constexpr int at(int dimension) { return places[static_cast<std::size_t>(dimension)]; }
  /// As Wherry's layout of data.
  static constexpr wherry::layout<length> layout() { return {places}; }
  /// As Wherry's mapping of data dimensions to grid dimensions.
  static std::vector<int> axes() { return {Place...}; }

 private:
  static constexpr bool is_permutation() { return wherry::layout<length>{places}.is_permutation(); }
  static_assert(is_permutation(), "a layout_map names each place from 0 on exactly once");
};

}  // namespace GCL
