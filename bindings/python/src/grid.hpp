// Process grids, and the cells that each rank owns.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string_view>

#include "wherry/halo/descriptor.hpp"

#include "errors.hpp"

namespace wherry_python {

/// Calls `what.operator()<N>()` for a number of dimensions that is known when the program runs.
template <class What> auto with_dimensions(std::size_t dimensions, std::string_view where, What&& what) {
  static_assert(wherry::max_halo_dimensions == 4);
  switch (dimensions) {
    case 1:
      return what.template operator()<1>();
    case 2:
      return what.template operator()<2>();
    case 3:
      return what.template operator()<3>();
    case 4:
      return what.template operator()<4>();
    default:
      refuse(where, "there are ", dimensions, " dimensions, expected 1 to 4");
  }
}

void bind_grid(nb::module_& m);

}  // namespace wherry_python
