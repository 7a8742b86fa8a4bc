// The arguments of calls about particles: the program's arrays and where positions are in them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/c/particles.h"
#include "wherry/core/error.hpp"
#include "wherry/particles/particle_arrays.hpp"

namespace wherry_c {

/// Memory for the arguments of one call, which is kept between calls. A call refers to it and to the program's arrays.
struct particle_arguments {
  std::vector<wherry::detail::particle_column> columns{};
  wherry::detail::particle_call call{};
  wherry_particle_choice choice{};
  int dimensions = 0;  ///< of the cells in `choice`
  std::optional<wherry::error> fault{};

  /// Takes the arrays as they are moved, or, with their members, as their ghosts are filled.
  /// @throws error(argument) for no arrays, a wrong type, count or role, or an array that is given twice
  void set_arrays(wherry_particle_array* arrays, int count, bool for_ghosts, std::string_view where);
  /// Says where the positions are.
  /// @throws error(argument) unless the first arrays have coordinates of this number of dimensions
  void set_positions(const wherry_positions& positions, int dimensions, std::string_view where);
  /// Says to whom the particles go.
  /// @throws error(argument) unless the choice has exactly a list or a function
  void set_choice(const wherry_particle_choice* given, int of_space, std::string_view where);
};

}  // namespace wherry_c
