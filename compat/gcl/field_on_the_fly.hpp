/// @file
/// `field_on_the_fly`: the descriptor of one data field (paper 1, section 4, figure 5).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/halo/field.hpp"

#include "gcl/layout_map.hpp"
#include "gcl/tags.hpp"

namespace GCL {

/// What a generic pattern says of itself to its fields: `pattern_type::traits`.
template <int N, class Arch> struct generic_traits {
  static constexpr int dimensions = N;
  using arch_type = Arch;
};

/// A user's array with its type, layout and halo structure. Cheap to make and to copy; owns nothing.
template <class T, class Layout, class Traits> class field_on_the_fly {
 public:
  static constexpr int dimensions = Traits::dimensions;
  static_assert(Layout::length == dimensions, "the layout_map has another number of dimensions than the pattern");
  using value_type = T;

  /// @param pointer the element whose indices are all 0
  /// @param halo    one descriptor for each of the user's dimensions: a C array, `std::array` or `std::vector`
  /// @throws wherry::error(argument) for another number of descriptors.
  field_on_the_fly(T* pointer, std::span<const halo_descriptor> halo) {
    if (halo.size() != static_cast<std::size_t>(dimensions))
      throw wherry::error(wherry::error_kind::argument, "field_on_the_fly",
                          wherry::text(halo.size(), " halo descriptors were given for ", dimensions, " dimensions"));
    wherry::point<dimensions> extents{};
    std::array<halo_descriptor, static_cast<std::size_t>(dimensions)> all{};
    for (std::size_t d = 0; d < all.size(); ++d) {
      all[d] = halo[d];
      extents[d] = halo[d].length;
    }
    erased_ =
        halo_of(wherry::halo_view<T, dimensions>(wherry::view<T, dimensions>(pointer, extents, Layout::layout()), all));
  }

  T* ptr() const { return static_cast<T*>(erased_.data); }
  void set_pointer(T* pointer) { erased_.data = pointer; }
  /// As Wherry sees it.
  const wherry::halo_field& erased() const { return erased_; }

 private:
  wherry::halo_field erased_;
};

}  // namespace GCL
