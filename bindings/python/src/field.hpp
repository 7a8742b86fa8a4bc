// The part that all fields of the Python package share: an array, and which of its cells are halo.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "wherry/halo/descriptor.hpp"

#include "arrays.hpp"

namespace wherry_python {

/// The base of wherry.Field. It holds the array's buffer, so that its address stays.
struct field_base {
  held_array held;
  array_shape shape;
  std::size_t grid_dimensions = 0;
  bool components_first = false;
  std::array<wherry::index_t, wherry::max_halo_dimensions> minus{}, plus{};
  std::array<bool, wherry::max_halo_dimensions> on_planes{};
  std::string name;

  /// The first dimension of the array that is one of the grid's.
  std::size_t first_dimension() const { return components_first ? shape.dimensions - grid_dimensions : 0; }
  std::vector<component> components() const {
    return components_of(shape, components_first ? 0 : grid_dimensions, shape.dimensions - grid_dimensions);
  }
  /// The library's description of one component.
  wherry::halo_field described(const component& part) const;
};

}  // namespace wherry_python
