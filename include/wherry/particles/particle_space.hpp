/// @file
/// The space in which particles move: real coordinates, divided into the cells of a process grid or of a floor plan.
///
///     const wherry::particle_space<3> space{.lower = {0, 0, 0}, .upper = {10, 10, 20}};
///     const wherry::particle_space<2> cell{.edges = {{{1, 0}, {0.3, 1}}}};  // a triclinic cell
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace wherry {

/// The corners of the space that the cells of a domain divide evenly, in the unit of the positions. A position is in
/// the space if `lower[d] <= x[d] < upper[d]` along each dimension d. The process grid or the domain of the floor plan
/// says in which dimensions the space is periodic.
template <int N> struct particle_space {
  using position = std::array<double, static_cast<std::size_t>(N)>;

  position lower{}, upper{};
  /// For a space whose sides are not parallel to the axes: the vectors from the corner `lower` along the sides. The
  /// space is then every position `lower + f[0] * edges[0] + f[1] * edges[1] + …` with `0 <= f[d] < 1`, and `upper` is
  /// not read. A particle that leaves along side d of a periodic dimension is moved by a multiple of `edges[d]`.
  std::array<position, static_cast<std::size_t>(N)> edges{};
  /// A function of yours that returns the fractions f of a position, for spaces that the members above do not describe.
  /// Cell i of dimension d then lies between the fractions i / cells[d] and (i + 1) / cells[d]. A particle that leaves
  /// along a periodic dimension is moved by a multiple of `edges[d]`, or of `upper[d] - lower[d]` along axis d if no
  /// edges are given. All ranks must have the same function. `ghost_particles` needs a function that grows no faster
  /// than that of `edges`, or of `lower` and `upper`: otherwise ghosts are missing, which nothing detects.
  std::function<position(const position&)> fractions{};
};

}  // namespace wherry
