/// @file
/// Where values sit on a mesh of cells: in them, or on the planes between them.
#pragma once

#include <array>
#include <cstddef>

namespace wherry {

/// Along each dimension n cells have n values in their middle, or n + 1 on their planes. Where a mesh is divided, both
/// sides have the values of the plane between them, and the side above it says what they are. A rank without cells has
/// none of them, whatever its array has room for.
///
///     centring<3>::nodes()     on the planes of all dimensions: the cells' corners
///     centring<3>::faces(0)    on those of dimension 0 only: flows along it
///     centring<3>::edges(0)    on those of all others
template <int N> struct centring {
  std::array<bool, static_cast<std::size_t>(N)> on_planes{};  ///< one a dimension

  static constexpr centring cells() { return {}; }
  static constexpr centring nodes() { return everywhere(true); }
  /// @pre 0 <= normal < N
  static constexpr centring faces(int normal) { return everywhere(false).with(normal, true); }
  /// @pre 0 <= along < N
  static constexpr centring edges(int along) { return everywhere(true).with(along, false); }

  bool operator==(const centring&) const = default;

 private:
  static constexpr centring everywhere(bool planes) {
    centring result;
    result.on_planes.fill(planes);
    return result;
  }
  constexpr centring with(int dimension, bool planes) const {
    auto result = *this;
    result.on_planes.at(static_cast<std::size_t>(dimension)) = planes;
    return result;
  }
};

}  // namespace wherry
