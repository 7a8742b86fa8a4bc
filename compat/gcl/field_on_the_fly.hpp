/// @file
/// `field_on_the_fly`: the descriptor of one data field (GCL, section 4, figure 5).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/halo/field.hpp"

#include "gcl/detail/element.hpp"
#include "gcl/layout_map.hpp"
#include "gcl/tags.hpp"

namespace GCL {

/// Describes a user's array with its type, layout and halo structure. It is cheap to make and to copy, and owns
/// nothing.
/// @tparam Traits those of a pattern: `pattern_type::traits`
template <class T, class Layout, template <class> class Traits> class field_on_the_fly {
 public:
  static constexpr int dimensions = Traits<T>::dimensions;
  static_assert(Layout::length == dimensions, "the layout_map has another number of dimensions than the pattern");
  using value_type = T;

  T* ptr = nullptr;  ///< the element with all indices 0

  /// Not a field yet; assign to it.
  field_on_the_fly() = default;
  /// @param pointer the element with all indices 0
  /// @param halo one descriptor for each of the user's dimensions: a C array, `std::array` or `std::vector`
  /// @throws wherry::error(argument) for another number of descriptors
  field_on_the_fly(T* pointer, std::span<const halo_descriptor> halo) : ptr(pointer) {
    if (halo.size() != static_cast<std::size_t>(dimensions))
      throw wherry::error(wherry::error_kind::argument, "field_on_the_fly",
                          wherry::detail::text(halo.size(), " halo descriptors were given, expected ", dimensions,
                                               ", one for each dimension"));
    wherry::point<dimensions> extents{};
    std::array<halo_descriptor, static_cast<std::size_t>(dimensions)> all{};
    for (std::size_t d = 0; d < all.size(); ++d) {
      all[d] = halo[d];
      extents[d] = halo[d].length;
    }
    detail::require_element<T>();
    using element = detail::element<T>;
    const wherry::view<element, dimensions> array(reinterpret_cast<element*>(pointer), extents, Layout::layout());
    shape_ = halo_of(wherry::halo_view<element, dimensions>(array, all));
    if constexpr (requires { Traits<T>::arch_type::space; }) shape_.space = Traits<T>::arch_type::space;
  }

  void set_pointer(T* pointer) { ptr = pointer; }
  /// The type, layout and halo structure as a Wherry object, without the address.
  const wherry::halo_field& shape() const { return shape_; }
  /// The field as a Wherry object, with the address.
  wherry::halo_field erased() const {
    wherry::halo_field result = shape_;
    result.data = ptr;
    return result;
  }

 private:
  wherry::halo_field shape_;
};

}  // namespace GCL
