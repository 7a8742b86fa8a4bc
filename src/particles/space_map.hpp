// The map from positions to cells. Each rank computes the same cell for a position, and the bounds of a box in real
// coordinates are exactly those of its cells.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

#include "wherry/geometry/domain.hpp"
#include "wherry/particles/particle_space.hpp"

#include "cells.hpp"

namespace wherry::particles {

/// The description of a space with its types erased.
struct space_description {
  std::size_t dimensions = 0;
  position lower{}, upper{};
  std::array<position, most_dimensions> edges{};
  std::function<position(const position&)> fractions{};
  cell_box cells{};
  std::array<bool, most_dimensions> periodic{};
};

template <int N> space_description describe(const particle_space<N>& space, const domain<N>& cells);

class space_map {
 public:
  /// Where a position is after it was wrapped around.
  enum class place {
    inside,
    moved,    ///< inside, after whole periods were added
    outside,  ///< beyond an edge that is not periodic
    lost      ///< not a finite number, or more than 10^9 periods away
  };

  space_map() = default;
  /// @throws error(argument) for a space without volume or without cells
  space_map(space_description space, int rank);

  const space_description& description() const { return space_; }
  std::size_t dimensions() const { return space_.dimensions; }
  /// True if cells are boxes in real coordinates.
  bool is_upright() const { return upright_; }

  /// Adds whole periods to a position so that it is inside.
  /// @param is_float the coordinates are kept as `float`
  place wrap(position& x, bool is_float) const;
  /// The cell of a position that is inside.
  cell cell_of(const position& x) const;
  /// The cell of the space of which `at` is a periodic image.
  cell wrapped(cell at) const;

  /// The least coordinate of dimension d whose cell is `at` or a later one, as a number of its type; the upper edge if
  /// `at` is behind the last cell. In an upright space only.
  double cut(std::size_t d, index_t at, bool is_float) const;
  /// The vector by which one period of dimension d shifts a position.
  position period(std::size_t d) const;
  /// The number of cells of dimension d that a distance may reach across, rounded up. In a dimension that is not
  /// periodic, it is at most one more than its cells.
  index_t cells_across(std::size_t d, double distance) const;
  /// The greatest difference of the fractions of dimension d at this distance, by `edges`, or by `lower` and `upper`. A
  /// function of the user's must not grow faster.
  double fractions_across(std::size_t d, double distance) const;
  /// The fractions of a position in a space that is not upright.
  position fractions(const position& x) const;

 private:
  place wrap_upright(position& x, bool is_float) const;
  place wrap_by_fractions(position& x, bool is_float) const;
  bool has_edges() const;
  void invert_edges(int rank);
  index_t index_of(std::size_t d, double x) const;

  space_description space_;
  bool upright_ = true;
  position scale_{};                                 // cells per unit of length
  std::array<position, most_dimensions> inverse_{};  // row d gives fraction d
};

/// "(0.5, 1, 2)"
std::string to_text(const position& x, std::size_t dimensions);
std::string to_text(const cell& at, std::size_t dimensions);

}  // namespace wherry::particles
