// Positions, cells and boxes of cells whose number of dimensions is known at run time.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "wherry/geometry/box.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/particles/detail/particle_call.hpp"

namespace wherry::particles {

/// The names of the public classes, for errors.
inline constexpr std::string_view in_exchange = "particle_exchange", in_ghosts = "ghost_particles";

/// Entries beyond the number of dimensions are 0.
inline constexpr std::size_t most_dimensions = wherry::detail::most_particle_dimensions;
using position = std::array<double, most_dimensions>;
using cell = std::array<index_t, most_dimensions>;

struct cell_box {
  cell lower{}, upper{};
  bool contains(const cell& at, std::size_t dimensions) const {
    for (std::size_t d = 0; d < dimensions; ++d)
      if (at[d] < lower[d] || at[d] >= upper[d]) return false;
    return true;
  }
};

/// A box in real coordinates.
struct real_box {
  position lower{}, upper{};
  bool contains(const position& x, std::size_t dimensions) const {
    for (std::size_t d = 0; d < dimensions; ++d)
      if (!(x[d] >= lower[d] && x[d] < upper[d])) return false;
    return true;
  }
};

template <int N> cell to_cell(const point<N>& p) {
  cell result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = p[d];
  return result;
}
template <int N> point<N> to_point(const cell& c) {
  point<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = c[d];
  return result;
}
template <int N> cell_box to_cell_box(const box<N>& b) { return {to_cell<N>(b.lower), to_cell<N>(b.upper)}; }
template <int N> box<N> to_box(const cell_box& b) { return {to_point<N>(b.lower), to_point<N>(b.upper)}; }

}  // namespace wherry::particles
