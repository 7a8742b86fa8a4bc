/// @file
/// Fields: arrays with a halo, in memory that the ranks of a node share.
///
///     wherry::field<double, 3> u(grid.comm(), {200, 100, 80}, 2);  // the rank's core cells, and a halo of 2
///     wherry::halo_exchange exchange(grid, u);
///     exchange();
///     u(0, 0, 0) = u(-1, 0, 0) + u(-2, 0, 0);  // 0 is the first core cell, -1 and -2 are halo
///
/// For an array that the program has allocated itself use `halo_around` or `halo_inside` (halo_view.hpp). If a rank has
/// several boxes, use `x_array` (motion/x_array.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "wherry/core/checked.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/device/field_memory.hpp"
#include "wherry/halo/halo_view.hpp"

namespace wherry {

/// Options of a field.
template <int N> struct field_options {
  wherry::layout<N> layout = fortran_layout<N>();
  /// Lengthens rows if neighbouring rows would otherwise compete for the same cache sets.
  bool pad_rows = true;
  std::string name{};
  /// Where the values sit. Along a dimension with values on planes there is one value more than cells.
  wherry::centring<N> centring{};
  /// The threads that will work on the field. Its slowest dimension is divided among them as by OpenMP's static
  /// schedule, and each thread's pages are placed near its core.
  thread_team team{};
  /// Where the elements are. With `device` they are in the memory of the device in use (wherry/device/device.hpp), and
  /// the host may not touch them.
  memory_space space = memory_space::node_shared;
};

/// An N-dimensional array of T with a halo, in node-shared memory, so that the other ranks of the node can read it in
/// place, or on a device. Indices count from the first core cell: 0 to extent - 1 is the core, and smaller and larger
/// indices are halo. The core of a field with values on planes has all planes of the rank's cells, including the
/// outermost ones, which the neighbours have too.
///
/// A copy of a field refers to the same memory, which is freed with the last copy. A field keeps the private state of
/// its communicator alive and may outlive MPI_Finalize. The elements of a const field are const: they may be sent, but
/// not received into.
template <class T, int N> class field {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using element_type = T;
  static constexpr int dimensions = N;

  /// Allocates a field, filled with zeros. Local.
  /// @param core number of cells of this rank along each dimension, possibly 0
  /// @param widths number of halo layers below and above the core in each dimension
  /// @throws error(resource) if the memory is exhausted; error(argument) for a negative size or width, a layout that is
  ///         not a permutation, or more bytes than an index_t can count.
  field(const communicator& comm, const point<N>& core, const halo_widths<N>& widths,
        const field_options<N>& options = {});

  /// A field that is moved from has no cells, and an exchange with it throws error(state).
  field(const field&) = default;
  field& operator=(const field&) = default;
  field(field&& other) noexcept { *this = std::move(other); }
  field& operator=(field&& other) noexcept;

  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  template <class... Indices>
    requires(sizeof...(Indices) == N)
  const T& operator()(Indices... indices) const {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  T& operator[](const point<N>& p) { return origin_[whole_.offset(p)]; }
  const T& operator[](const point<N>& p) const { return origin_[whole_.offset(p)]; }

  /// The core as a box from 0 to the core's extents. Along a dimension with values on planes the extent is one more
  /// than the number of cells.
  box<N> core() const { return box_of_extents<N>(core_); }
  /// The box of the core and its halo.
  box<N> whole() const { return grow<N>(core(), widths_.minus, widths_.plus); }
  /// The distance between neighbours along each dimension, in elements.
  const point<N>& strides() const { return whole_.strides; }
  /// The address of the first core cell.
  T* origin() { return origin_; }
  const T* origin() const { return origin_; }
  /// The address of the first halo cell, where the array begins.
  T* data() { return whole_.data; }
  const T* data() const { return whole_.data; }
  memory_space space() const { return whole_.space; }
  const halo_widths<N>& widths() const { return widths_; }
  /// A hash of the shape, which `start` compares with the shape that was bound.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// A view of the field that knows its halo. @throws error(state) if the field was moved from
  halo_view<T, N> view_with_halo() { return halo_view<T, N>(live().whole_, descriptors()).named(name_).on(on_); }
  halo_view<const T, N> view_with_halo() const {
    return halo_view<const T, N>(live().whole_, descriptors()).named(name_).on(on_);
  }

 private:
  const field& live() const {
    if (memory_ == nullptr) detail::throw_moved_from("field");
    return *this;
  }
  std::array<halo_descriptor, static_cast<std::size_t>(N)> descriptors() const {
    std::array<halo_descriptor, static_cast<std::size_t>(N)> halo;
    for (std::size_t d = 0; d < N; ++d)
      halo[d] = {widths_.minus[d], widths_.plus[d], widths_.minus[d], widths_.minus[d] + core_[d] - 1,
                 whole_.extents[d]};
    return halo;
  }

  point<N> core_{};  // all planes included
  halo_widths<N> widths_ = 0;
  centring<N> on_;
  std::string name_;
  view<T, N> whole_;
  T* origin_ = nullptr;
  static constexpr std::uint64_t no_shape = ~std::uint64_t{0};  // differs from every shape that can be bound
  std::uint64_t fingerprint_ = no_shape;
  std::shared_ptr<node_memory> memory_;
};

/// Erases the type of a field, for an exchange that writes its halo.
template <class T, int N> halo_field halo_of(field<T, N>& typed) { return halo_of(typed.view_with_halo()); }
template <class T, int N> halo_field halo_of(const field<T, N>& typed) { return halo_of(typed.view_with_halo()); }

}  // namespace wherry

template <class T, int N> wherry::field<T, N>& wherry::field<T, N>::operator=(field&& other) noexcept {
  core_ = std::exchange(other.core_, {});
  widths_ = std::exchange(other.widths_, 0);
  on_ = other.on_;
  name_ = std::move(other.name_);
  whole_ = std::exchange(other.whole_, {});
  origin_ = std::exchange(other.origin_, nullptr);
  fingerprint_ = std::exchange(other.fingerprint_, no_shape);
  memory_ = std::move(other.memory_);
  return *this;
}

template <class T, int N>
wherry::field<T, N>::field(const communicator& comm, const point<N>& core, const halo_widths<N>& widths,
                           const field_options<N>& options)
    : core_(core), widths_(widths), on_(options.centring), name_(options.name) {
  if (!options.layout.is_permutation())
    throw error(error_kind::argument, "field", "'layout' is not a permutation of the dimensions", comm.rank());
  const detail::checked extent{"field", "extent with halos", comm.rank()},
      size{"field", "number of bytes", comm.rank()};
  point<N> extents;
  for (std::size_t d = 0; d < N; ++d) {
    if (core[d] < 0 || widths.minus[d] < 0 || widths.plus[d] < 0)
      throw error(error_kind::argument, "field",
                  detail::text("dimension ", d, " has ", core[d], " core cells and halos of ", widths.minus[d], " and ",
                               widths.plus[d], ", expected 0 or more of each"),
                  comm.rank());
    core_[d] = extent.sum(core[d], index_t{on_.on_planes[d]});
    extents[d] = extent.sum(extent.sum(core_[d], widths.minus[d]), widths.plus[d]);
  }
  constexpr auto element = static_cast<index_t>(sizeof(T));
  const point<N> padded = options.pad_rows ? detail::padded_extents(extents, options.layout, element, size) : extents;
  index_t bytes = element;
  const bool empty = std::count(padded.begin(), padded.end(), 0) > 0;
  for (std::size_t d = 0; d < N && !empty; ++d) bytes = size.product(bytes, padded[d]);
  memory_ = std::make_shared<node_memory>(
      detail::field_memory(comm, static_cast<std::size_t>(bytes), options.space, options.team));
  whole_ = view<T, N>(reinterpret_cast<T*>(memory_->data()), extents, dense_strides(padded, options.layout),
                      memory_->space());
  origin_ = whole_.data + whole_.offset(widths.minus);
  fingerprint_ = view_with_halo().fingerprint();
}
