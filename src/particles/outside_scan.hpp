// One pass over positions: finds the particles outside a box.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "wherry/particles/detail/particle_call.hpp"

#include "cells.hpp"

namespace wherry::particles {

/// Where the coordinates of all particles are.
struct coordinate_arrays {
  std::size_t dimensions = 0;
  bool is_float = false;
  std::array<std::byte*, most_dimensions> first{};
  std::array<std::size_t, most_dimensions> stride{};

  position read(std::size_t i) const;
  void write(std::size_t i, const position& x) const;
  /// Adds `by` to the positions of `count` particles from `begin` on.
  void add(std::size_t begin, std::size_t count, const position& by) const;
};

/// The coordinates of a call whose arrays are these.
coordinate_arrays coordinates_in(std::span<const wherry::detail::particle_column> columns,
                                 const wherry::detail::particle_call& call);

/// Appends the indices of the particles from `begin` to `end` that are outside `cells`, ascending. A coordinate that is
/// no number is outside.
/// @param cells with bounds of the coordinates' type
void append_outside(const coordinate_arrays& at, std::size_t begin, std::size_t end, const real_box& cells,
                    std::vector<std::size_t>& found);

}  // namespace wherry::particles
