/// @file
/// An N-dimensional array that somebody else owns: pointer, extents, strides and memory space, like `std::mdspan`.
///
///     wherry::view<double, 2> dense(data, {nx, ny});                         // Fortran's order
///     wherry::view<double, 2> padded(data, {nx, ny}, {1, nx + 8});         // strides in elements
///     wherry::view<double, 2> matrix(data, {ny, nx}, wherry::c_layout<2>());
///     dense(1, 2) = dense[{0, 2}];  // no bounds are checked
///
/// Use `field` for an array that owns its memory and has a halo.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "wherry/core/memory_space.hpp"
#include "wherry/geometry/box.hpp"
#include "wherry/geometry/layout.hpp"

namespace wherry {

/// A type with the interface of `std::mdspan`: `data_handle()`, `extent(r)`, `stride(r)`, `rank()`.
template <class Array>
concept mdspan_like = requires(const Array& array) {
  array.data_handle();
  array.extent(std::size_t{});
  array.stride(std::size_t{});
  { Array::rank() } -> std::convertible_to<std::size_t>;
};

/// A view does not own the elements, and copying it copies no data. Strides are in elements. As with a pointer, the
/// elements are read-only if T is const; a const view of non-const elements can change them.
template <class T, int N> struct view {
  using element_type = T;
  static constexpr int dimensions = N;

  T* data = nullptr;
  point<N> extents{};
  point<N> strides{};
  memory_space space = memory_space::host;

  view() = default;
  view(T* pointer, const point<N>& lengths, const point<N>& steps, memory_space where = memory_space::host)
      : data(pointer), extents(lengths), strides(steps), space(where) {}
  /// Takes the strides in braces, so that they are not mistaken for a layout: `view(p, {nx, ny}, {1, 100})`.
  view(T* pointer, const point<N>& lengths, const index_t (&steps)[static_cast<std::size_t>(N)],
       memory_space where = memory_space::host)
      : view(pointer, lengths, std::to_array(steps), where) {}
  /// A dense array with the given layout, by default Fortran's.
  view(T* pointer, const point<N>& lengths, const layout<N>& order = fortran_layout<N>(),
       memory_space where = memory_space::host)
      : view(pointer, lengths, dense_strides(lengths, order), where) {}
  /// A read-only view of the same elements.
  template <class U>
    requires(std::is_same_v<const U, T>)
  view(const view<U, N>& other) : view(other.data, other.extents, other.strides, other.space) {}
  /// A view of contiguous elements in one dimension.
  view(std::span<T> elements)
    requires(N == 1)
      : view(elements.data(), {static_cast<index_t>(elements.size())}) {}
  template <mdspan_like Array>
    requires(Array::rank() == static_cast<std::size_t>(N))
  view(const Array& array) : data(array.data_handle()) {
    for (std::size_t d = 0; d < N; ++d) {
      extents[d] = static_cast<index_t>(array.extent(d));
      strides[d] = static_cast<index_t>(array.stride(d));
    }
  }

  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) const {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  T& operator[](const point<N>& p) const { return data[offset(p)]; }

  /// The distance of the point from `data`, in elements.
  index_t offset(const point<N>& p) const {
    index_t sum = 0;
    for (std::size_t d = 0; d < N; ++d) sum += p[d] * strides[d];
    return sum;
  }
  box<N> whole() const { return box_of_extents<N>(extents); }
};

}  // namespace wherry
