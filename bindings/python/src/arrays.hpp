// Arrays of Python as the library sees them: an address, the element, extents and strides.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/geometry/view.hpp"
#include "wherry/plan/element.hpp"

namespace wherry_python {

namespace nb = nanobind;

inline constexpr std::size_t most_dimensions = 8;

/// The shape of one array: everything but its address.
struct array_shape {
  wherry::index_t item = 0;  ///< bytes of an element
  wherry::plans::element_type type{};
  std::size_t dimensions = 0;
  std::array<wherry::index_t, most_dimensions> extents{}, strides{};  ///< strides in bytes
  std::string format;                                                 ///< in words of Python's module struct

  bool operator==(const array_shape& other) const {
    return item == other.item && type == other.type && dimensions == other.dimensions && extents == other.extents &&
           strides == other.strides;
  }
  bool empty() const;
};

/// The memory of an array, which stays as long as this object. Movable. All functions need the GIL.
class held_array {
 public:
  held_array() = default;
  /// @param argument the array's name in errors, such as "array 0"
  /// @throws error(argument) for what is no array, is masked, is not in the host's memory, or is read-only and must be
  ///         written
  held_array(nb::handle object, bool written, std::string_view where, std::string_view argument);
  held_array(held_array&& other) noexcept { *this = std::move(other); }
  held_array& operator=(held_array&& other) noexcept;
  ~held_array() { release(); }

  std::byte* data() const { return static_cast<std::byte*>(buffer_.buf); }
  /// The object that the memory belongs to.
  nb::handle owner() const { return buffer_.obj; }
  array_shape shape(std::string_view where, std::string_view argument) const;
  /// True if the array has this shape. Faster than comparing `shape`.
  bool fits(const array_shape& wanted) const;

 private:
  void release() noexcept;

  Py_buffer buffer_{};
};

/// An array of numpy of the same memory, for an object with DLPack and no buffer, such as a tensor; else null.
nb::object from_dlpack(nb::handle object);

/// In words: "float64 (4, 6), strides (48, 8)".
std::string to_text(const array_shape& shape);

/// A part of the elements of an array whose components lie apart.
struct component {
  std::ptrdiff_t offset = 0;    ///< in bytes, from the array's address
  wherry::index_t element = 0;  ///< bytes of what travels as one element
};
/// The components of an array, in which `first` dimensions starting at `from` are not components. Those that lie one
/// behind the other are one element.
std::vector<component> components_of(const array_shape& shape, std::size_t from, std::size_t count);

}  // namespace wherry_python
