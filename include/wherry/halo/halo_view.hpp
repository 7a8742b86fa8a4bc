/// @file
/// Halos around arrays of the user's: `halo(array, 3)`.
#pragma once

#include <array>
#include <cstddef>
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

/// @throws error(argument) where an array of these extents has more elements than `given`.
void check_extents(std::span<const index_t> extents, index_t given);

}  // namespace detail

/// A view over a user's array together with its halo descriptors. The array's element whose indices are all 0 is at
/// `array().data`. Cheap to copy; owns nothing. Like a pointer: of `const T` it is read-only, and whether the view
/// itself is const says nothing of the elements.
template <class T, int N> class halo_view {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using descriptors = std::array<halo_descriptor, static_cast<std::size_t>(N)>;

  /// @param halo one descriptor a dimension; their lengths are the array's extents
  halo_view(const view<T, N>& whole, const descriptors& halo, std::string called = {})
      : array_(whole), halo_(halo), name_(std::move(called)), fingerprint_(fingerprint_of(erased())) {}

  /// All of the array is core and halo, without padding.
  halo_view(const view<T, N>& whole, const halo_widths<N>& widths, std::string called = {})
      : halo_view(whole, all_of(whole, widths), std::move(called)) {}

  /// The same with values that sit elsewhere than in cells: the core are all planes of the rank's cells.
  halo_view on(const centring<N>& where) const {
    auto result = *this;
    result.on_ = where;
    result.fingerprint_ = fingerprint_of(result.erased());
    return result;
  }
  /// The same array with less of its halo: the cells next to the core.
  /// @throws error(argument) for more than there is
  halo_view narrowed(const halo_widths<N>& widths) const {
    auto less = halo_;
    for (std::size_t d = 0; d < N; ++d) {
      if (widths.minus[d] > halo_[d].minus || widths.plus[d] > halo_[d].plus)
        throw error(error_kind::argument, "halo_view",
                    detail::text("dimension ", d, " has halos of ", halo_[d].minus, " and ", halo_[d].plus, ", not of ",
                                 widths.minus[d], " and ", widths.plus[d]));
      less[d].minus = widths.minus[d];
      less[d].plus = widths.plus[d];
    }
    return halo_view(array_, less, name_).on(on_);
  }

  const view<T, N>& array() const { return array_; }
  const descriptors& halo() const { return halo_; }
  const std::string& name() const { return name_; }
  T* data() const { return array_.data; }
  /// The shape as one word: what `start` compares with what was bound.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// Types erased; without the name.
  halo_field erased() const {
    halo_field result;
    result.data = const_cast<std::remove_const_t<T>*>(array_.data);
    result.element = static_cast<index_t>(sizeof(T));
    result.dimensions = N;
    result.space = array_.space;
    result.type = element_of<T>();
    for (std::size_t d = 0; d < N; ++d) {
      result.halo[d] = halo_[d];
      result.on_planes[d] = on_.on_planes[d];
      result.stride[d] =
          checked{"halo_of", "stride in bytes"}.product(array_.strides[d], static_cast<index_t>(sizeof(T)));
    }
    return result;
  }

 private:
  static descriptors all_of(const view<T, N>& whole, const halo_widths<N>& widths) {
    descriptors halo;
    constexpr checked end{"halo_view", "end of the core"};
    for (std::size_t d = 0; d < N; ++d)
      halo[d] = {widths.minus[d], widths.plus[d], widths.minus[d],
                 end.difference(end.difference(whole.extents[d], widths.plus[d]), index_t{1}), whole.extents[d]};
    return halo;
  }

  view<T, N> array_;
  descriptors halo_;
  centring<N> on_{};
  std::string name_;
  std::uint64_t fingerprint_;
};

/// All of an array is core and halo.
///
///     halo(array, 3)                                    a `view`, or anything like a `std::mdspan`
///     halo(values, {nx, ny, nz}, 3)                     a `std::span`, `std::vector`, …; the first index fastest
///     halo(values, {ny, nx}, 2, c_layout<2>())          the last index fastest
///
/// Extents are those with halos; of n cells, n + 1 where values sit on nodes: `halo(x, {nx + 1, ny + 1},
/// 0).on(centring<2>::nodes())`.
/// @param widths a number of cells, the same everywhere; or `halo_widths`
/// @throws error(argument) for fewer values than the extents have, or a negative extent.
template <class T, int N>
halo_view<T, N> halo(const view<T, N>& array, const std::type_identity_t<halo_widths<N>>& widths) {
  return {array, widths};
}
template <mdspan_like Array> auto halo(const Array& array, const halo_widths<static_cast<int>(Array::rank())>& widths) {
  using element = std::remove_pointer_t<decltype(array.data_handle())>;
  return halo(view<element, static_cast<int>(Array::rank())>(array), widths);
}
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo(Values&& values, const std::array<index_t, N>& extents, const halo_widths<static_cast<int>(N)>& widths,
          const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  using element = std::remove_reference_t<std::ranges::range_reference_t<Values>>;
  detail::check_extents(extents, static_cast<index_t>(std::ranges::size(values)));
  return halo(view<element, static_cast<int>(N)>(std::ranges::data(values), extents, order), widths);
}
/// The same with extents in braces.
template <std::ranges::contiguous_range Values, std::size_t N>
  requires std::ranges::borrowed_range<Values>
auto halo(Values&& values, const index_t (&extents)[N], const halo_widths<static_cast<int>(N)>& widths,
          const layout<static_cast<int>(N)>& order = fortran_layout<static_cast<int>(N)>()) {
  return halo(std::forward<Values>(values), std::to_array(extents), widths, order);
}

/// Erases the types, for an exchange: halos are written.
template <class T, int N> halo_field halo_of(const halo_view<T, N>& typed) {
  static_assert(!std::is_const_v<T>, "a const field is read-only: its halo cannot be filled");
  auto result = typed.erased();
  result.name = typed.name();
  return result;
}

}  // namespace wherry
