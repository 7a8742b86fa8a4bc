// Particles as rows of bytes: the elements of all their arrays, one behind the other, then the values of their ragged
// arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "wherry/particles/detail/particle_call.hpp"

namespace wherry::particles {

using wherry::detail::column_role;
using wherry::detail::particle_column;

struct row_layout {
  std::vector<std::size_t> offsets;  ///< of each column's element in a row
  std::size_t bytes = 0;             ///< of a row without values
  bool has_values = false;

  void assign(std::span<const particle_column> columns);
};

/// The number that a length column has for a particle. Negative numbers stay negative.
std::int64_t length_at(const std::byte* element, const particle_column& lengths);

/// Calls `copy` with the number of bytes, as a constant if it is a common one, so that compilers make a few
/// instructions of a copy.
template <class Copy> void with_bytes(std::size_t bytes, Copy&& copy) {
  switch (bytes) {
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    case 12:
      return copy(std::integral_constant<std::size_t, 12>());
    case 16:
      return copy(std::integral_constant<std::size_t, 16>());
    case 24:
      return copy(std::integral_constant<std::size_t, 24>());
    default:
      return copy(bytes);
  }
}

/// Copies elements `which[k]` of an array to `first + k * row_bytes`.
void gather(const std::byte* array, std::size_t bytes, std::span<const std::size_t> which, std::byte* first,
            std::size_t row_bytes);

}  // namespace wherry::particles
