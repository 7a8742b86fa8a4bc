/// @file
/// Describes the halo of an array that the user owns, so that `halo_exchange` can fill it.
///
///     std::vector<float> u((nx + 2) * (ny + 2)), v(u.size());
///     auto a = wherry::halo_around(u, {nx, ny}, 1);                                 // the first index is the fastest
///     auto b = wherry::halo_inside(v, {ny + 2, nx + 2}, 1, wherry::c_layout<2>());  // the last index is the fastest
///     wherry::halo_exchange exchange(grid, a, b);
///
/// If the program has no array yet, `field` (field.hpp) allocates one that the other ranks of a node can read in place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/geometry/centring.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

namespace detail {

/// Whether given extents count the core alone or the core with its halo.
enum class extents_are { of_the_core, with_the_halo };

/// The extents of the whole array, halo included.
/// @throws error(argument) if such an array does not have exactly `given` elements (a core without cells may have
///         none). The text says which sizes would fit.
template <int N>
point<N> whole_extents(extents_are what, const point<N>& extents, const halo_widths<N>& widths, std::size_t given);

}  // namespace detail

/// A view of a user's array together with its halo descriptors. A halo view owns nothing and is cheap to copy. The
/// elements of a `halo_view<const T, N>` are read-only. The elements of a const `halo_view<T, N>` can be changed, as
/// through a const pointer.
template <class T, int N> class halo_view {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using descriptors = std::array<halo_descriptor, static_cast<std::size_t>(N)>;

  /// Makes a view of an array that may have padding. For an array without padding use `halo_around` or `halo_inside`.
  /// @param halo one descriptor for each dimension
  /// @throws error(argument) if a descriptor's length is not the array's extent
  halo_view(const view<T, N>& whole, const descriptors& halo)
      : array_(whole), halo_(halo), fingerprint_(detail::fingerprint_of(erased())) {
    for (std::size_t d = 0; d < N; ++d)
      if (halo[d].length != whole.extents[d])
        throw error(error_kind::argument, "halo_view",
                    detail::text("dimension ", d, " of the array has ", whole.extents[d],
                                 " elements, but its descriptor has the length ", halo[d].length));
  }

  /// A copy of the view with a name, which errors, statistics and traces print.
  halo_view named(std::string name) const {
    auto result = *this;
    result.name_ = std::move(name);
    return result;
  }
  /// A copy of the view whose values sit on planes as `where` says. The core then includes all planes of the rank's
  /// cells.
  halo_view on(const centring<N>& where) const {
    auto result = *this;
    result.on_ = where;
    result.fingerprint_ = detail::fingerprint_of(result.erased());
    return result;
  }
  /// A view of the same array with a narrower halo: only the layers next to the core.
  /// @throws error(argument) for a halo wider than the present one
  halo_view narrowed(const halo_widths<N>& widths) const {
    auto less = halo_;
    for (std::size_t d = 0; d < N; ++d) {
      if (widths.minus[d] > halo_[d].minus || widths.plus[d] > halo_[d].plus)
        throw error(error_kind::argument, "halo_view",
                    detail::text("dimension ", d, " has halos of ", halo_[d].minus, " and ", halo_[d].plus,
                                 ", expected at least ", widths.minus[d], " and ", widths.plus[d]));
      less[d].minus = widths.minus[d];
      less[d].plus = widths.plus[d];
    }
    return halo_view(array_, less).named(name_).on(on_);
  }

  const view<T, N>& array() const { return array_; }
  const descriptors& halo() const { return halo_; }
  const std::string& name() const { return name_; }
  T* data() const { return array_.data; }
  /// A hash of the shape, which `start` compares with the shape that was bound.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// The view without its type and its name.
  halo_field erased() const {
    halo_field result;
    result.data = const_cast<std::remove_const_t<T>*>(array_.data);
    result.element = static_cast<index_t>(sizeof(T));
    result.dimensions = N;
    result.space = array_.space;
    result.type = plans::element_of<T>();
    for (std::size_t d = 0; d < N; ++d) {
      result.halo[d] = halo_[d];
      result.on_planes[d] = on_.on_planes[d];
      result.stride[d] =
          detail::checked{"halo_of", "stride in bytes"}.product(array_.strides[d], static_cast<index_t>(sizeof(T)));
    }
    return result;
  }

 private:
  view<T, N> array_;
  descriptors halo_;
  centring<N> on_{};
  std::string name_;
  std::uint64_t fingerprint_;
};

namespace detail {

/// A view of an array without padding: every element belongs to the core or to the halo.
template <class T, int N> halo_view<T, N> with_halo_inside(const view<T, N>& whole, const halo_widths<N>& widths) {
  typename halo_view<T, N>::descriptors halo;
  constexpr checked end{"halo_inside", "end of the core"};
  for (std::size_t d = 0; d < N; ++d)
    halo[d] = {widths.minus[d], widths.plus[d], widths.minus[d],
               end.difference(end.difference(whole.extents[d], widths.plus[d]), index_t{1}), whole.extents[d]};
  return {whole, halo};
}

template <std::ranges::contiguous_range Values, std::size_t N>
auto with_halo(extents_are what, Values&& values, const std::array<index_t, N>& extents,
               const halo_widths<static_cast<int>(N)>& widths, const layout<static_cast<int>(N)>& order) {
  using element = std::remove_reference_t<std::ranges::range_reference_t<Values>>;
  static_assert(!std::is_array_v<element>,
                "the elements of this C array are arrays themselves: give std::span(&a[0][0], number of values), whose "
                "layout is c_layout");
  constexpr int dimensions = static_cast<int>(N);
  const auto whole = whole_extents<dimensions>(what, extents, widths, std::ranges::size(values));
  return with_halo_inside(view<element, dimensions>(std::ranges::data(values), whole, order), widths);
}

}  // namespace detail

/// Describes an array that consists of a core with the extents `core` and a halo around it: with {nx, ny} and width 1
/// the array has (nx + 2) · (ny + 2) values.
///
/// A core with values on nodes has one value more than cells along each dimension: `halo_around(x, {nx + 1},
/// 0).on(centring<1>::nodes())`.
/// @param values a `std::vector`, a `std::span` or another contiguous range, which must outlive the result; of a longer
///        one pass `std::span(values).first(number)`
/// @param widths one number of cells for all sides, or `halo_widths`
/// @throws error(argument) if the number of values does not fit (the text says which numbers would), or for a negative
///         extent or width.
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo_around(Values&& values, const std::array<index_t, N>& core, const halo_widths<static_cast<int>(N)>& widths,
                 const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  return detail::with_halo(detail::extents_are::of_the_core, values, core, widths, order);
}
/// The overload for extents in braces.
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo_around(Values&& values, const index_t (&core)[N], const halo_widths<static_cast<int>(N)>& widths,
                 const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  return detail::with_halo(detail::extents_are::of_the_core, values, std::to_array(core), widths, order);
}

/// Describes an array whose outermost `widths` cells are the halo. `array` is a `view` or an array like `std::mdspan`;
/// for a contiguous range pass the extents too, which count the halo: `halo_inside(values, {nx + 2, ny + 2}, 1)` is the
/// same as `halo_around(values, {nx, ny}, 1)`. The other parameters and the errors are those of `halo_around`.
template <class T, int N>
halo_view<T, N> halo_inside(const view<T, N>& array, const std::type_identity_t<halo_widths<N>>& widths) {
  return detail::with_halo_inside(array, widths);
}
template <mdspan_like Array>
auto halo_inside(const Array& array, const halo_widths<static_cast<int>(Array::rank())>& widths) {
  using element = std::remove_pointer_t<decltype(array.data_handle())>;
  return detail::with_halo_inside(view<element, static_cast<int>(Array::rank())>(array), widths);
}
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo_inside(Values&& values, const std::array<index_t, N>& whole, const halo_widths<static_cast<int>(N)>& widths,
                 const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  return detail::with_halo(detail::extents_are::with_the_halo, values, whole, widths, order);
}
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo_inside(Values&& values, const index_t (&whole)[N], const halo_widths<static_cast<int>(N)>& widths,
                 const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  return detail::with_halo(detail::extents_are::with_the_halo, values, std::to_array(whole), widths, order);
}

/// Erases the type of a view, for an exchange that writes its halo.
template <class T, int N> halo_field halo_of(const halo_view<T, N>& typed) {
  static_assert(!std::is_const_v<T>, "a const field is read-only: its halo cannot be filled");
  auto result = typed.erased();
  result.name = typed.name();
  return result;
}

}  // namespace wherry
