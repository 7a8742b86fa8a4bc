/// @file
/// The arguments of one call about particles, with their types erased.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/plan/element.hpp"

namespace wherry::detail {

inline constexpr std::size_t most_particle_dimensions = 3;

/// The functions of one type of array.
struct array_functions {
  std::size_t (*size)(const void* array);
  std::byte* (*data)(void* array);
  std::byte* (*resize)(void* array, std::size_t elements);  ///< returns the memory
};

/// A `std::vector`, or another array in one piece of memory that has `data`, `size` and `resize`. Its elements travel
/// as bytes.
template <class Array>
concept particle_array = requires(Array& array, std::size_t count) {
  typename Array::value_type;
  { array.data() } -> std::same_as<typename Array::value_type*>;
  { array.size() } -> std::convertible_to<std::size_t>;
  array.resize(count);
  requires travels_as_bytes<typename Array::value_type> && !std::is_pointer_v<typename Array::value_type>;
};

template <class Array>
inline constexpr array_functions functions_of_array{
    [](const void* array) { return static_cast<std::size_t>(static_cast<const Array*>(array)->size()); },
    [](void* array) { return reinterpret_cast<std::byte*>(static_cast<Array*>(array)->data()); },
    [](void* array, std::size_t elements) {
      static_cast<Array*>(array)->resize(elements);
      return reinterpret_cast<std::byte*>(static_cast<Array*>(array)->data());
    }};

enum class column_role : std::uint8_t {
  one_each,  ///< element i belongs to particle i
  lengths,   ///< element i is the number of values of particle i in the next column
  values     ///< the values of all particles, one behind the other
};

/// One array of the user's.
struct particle_column {
  void* array = nullptr;
  const array_functions* functions = nullptr;
  plans::element_type type{};
  std::size_t bytes = 0;               ///< of an element
  std::size_t offset = 0, length = 0;  ///< the part of each element that moves between particles and their ghosts
  column_role role = column_role::one_each;

  std::size_t size() const { return functions->size(array); }
  std::byte* data() const { return functions->data(array); }
  std::byte* resize(std::size_t elements) const { return functions->resize(array, elements); }
};

template <class Array> particle_column column_of(Array& array, column_role role = column_role::one_each) {
  using element = typename Array::value_type;
  return {&array, &functions_of_array<Array>, plans::element_of<element>(), sizeof(element), 0, sizeof(element), role};
}

/// Where a coordinate of the positions lies: in an element of a column.
struct coordinate_place {
  std::size_t column = 0, offset = 0;
};

/// Particles that the caller has marked.
struct particle_marks {
  const void* first = nullptr;
  std::size_t count = 0, bytes = 0;
  bool given = false;  ///< false: all particles are looked at
  bool is_mask() const { return bytes == 1; }
};

/// The arguments of one call. It refers to objects of the caller's.
struct particle_call {
  std::span<const particle_column> columns;
  particle_marks marks;

  std::size_t dimensions = 0;  ///< of the positions; 0: there are none
  bool is_float = false;       ///< the coordinates are `float`, not `double`
  bool is_together = false;    ///< all coordinates are in one member
  std::array<coordinate_place, most_particle_dimensions> coordinates{};

  const void* chooser = nullptr;                                  ///< the object for the two functions below
  int (*owner_of)(const void* chooser, std::size_t i) = nullptr;  ///< the new owner of particle i
  void (*cell_of)(const void* chooser, std::size_t i, index_t* cell) = nullptr;
  std::size_t choices = 0;  ///< the length of the list of owners or cells
  bool counts_choices = false;

  /// An error in the arguments of this rank, of which all ranks hear; nothing else is then read. Null: there is none.
  const error* fault = nullptr;
};

}  // namespace wherry::detail
