/// @file
/// Fields: arrays with halos in node-shared memory. Those over memory of the user's are in halo_view.hpp.
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

/// How a field is laid out in memory.
template <int N> struct field_options {
  layout<N> order = fortran_layout<N>();
  /// Lengthen rows where their size would make neighbouring rows compete for the same cache sets.
  bool pad_rows = true;
  std::string name{};
  /// What its values sit on. On planes there is one more than there are cells.
  centring<N> on{};
  /// The threads that will work on it, each on its part of the slowest dimension (OpenMP's static schedule): each gets
  /// its pages near its core.
  thread_team team{};
  /// `device`: in the memory of the device in use (wherry/device/device.hpp), where the host may not touch its
  /// elements.
  memory_space space = memory_space::node_shared;
};

/// An N-dimensional array of T with halos, in node-shared memory so that ranks of the node can read it in place, or on
/// a device. Indices count from the first core cell: 0 to extent-1 is the core, below and above is halo. On nodes and
/// faces the core has all planes of the rank's cells, those at its edges too, which the neighbours have as well.
/// Movable, not copyable. Zero-filled at first. Keeps its communicator's private state alive; may outlive MPI_Finalize.
/// A const field is read-only, elements included: it may be sent, not received into.
template <class T, int N> class field {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using element_type = T;
  static constexpr int dimensions = N;

  /// Local. @param core cells of this rank, possibly 0
  /// @throws error(resource) when the node-shared memory is exhausted; error(argument) for a negative size or width, or
  ///         more bytes than an index_t can count.
  field(const communicator& comm, const point<N>& core, const halo_widths<N>& widths, const field_options<N>& how = {});

  /// Afterwards the field that was moved from has no cells, and an exchange with it is an error(state).
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

  /// The core as a box: from 0 to the core's extents, which are on planes one more than the cells.
  box<N> core() const { return box_of<N>(core_); }
  /// Core and halo.
  box<N> whole() const { return grow<N>(core(), widths_.minus, widths_.plus); }
  /// Elements between neighbours along each dimension.
  const point<N>& strides() const { return whole_.strides; }
  /// The first core cell.
  T* origin() { return origin_; }
  const T* origin() const { return origin_; }
  /// The cell whose array indices are all 0: the first halo cell.
  T* data() { return whole_.data; }
  const T* data() const { return whole_.data; }
  memory_space space() const { return whole_.space; }
  const halo_widths<N>& widths() const { return widths_; }
  /// The shape as one word: what `start` compares with what was bound.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// @throws error(state) where it was moved from
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

  point<N> core_{};  // with all planes
  halo_widths<N> widths_ = 0;
  centring<N> on_;
  std::string name_;
  view<T, N> whole_;
  T* origin_ = nullptr;
  static constexpr std::uint64_t no_shape = ~std::uint64_t{0};  // fits none: what it has is compared, and asked for
  std::uint64_t fingerprint_ = no_shape;
  std::shared_ptr<node_memory> memory_;
};

/// Erases the types.
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
                           const field_options<N>& how)
    : core_(core), widths_(widths), on_(how.on), name_(how.name) {
  if (!how.order.is_permutation())
    throw error(error_kind::argument, "field", "the layout is not a permutation of the dimensions", comm.rank());
  const checked extent{"field", "extent with halos", comm.rank()}, size{"field", "number of bytes", comm.rank()};
  point<N> extents;
  for (std::size_t d = 0; d < N; ++d) {
    if (core[d] < 0 || widths.minus[d] < 0 || widths.plus[d] < 0)
      throw error(error_kind::argument, "field",
                  detail::text("dimension ", d, " has ", core[d], " core cells and halos of ", widths.minus[d], " and ",
                               widths.plus[d]),
                  comm.rank());
    core_[d] = extent.sum(core[d], index_t{on_.on_planes[d]});
    extents[d] = extent.sum(extent.sum(core_[d], widths.minus[d]), widths.plus[d]);
  }
  constexpr auto element = static_cast<index_t>(sizeof(T));
  const point<N> padded = how.pad_rows ? padded_extents(extents, how.order, element, size) : extents;
  index_t bytes = element;
  const bool empty = std::count(padded.begin(), padded.end(), 0) > 0;
  for (std::size_t d = 0; d < N && !empty; ++d) bytes = size.product(bytes, padded[d]);
  memory_ = std::make_shared<node_memory>(field_memory(comm, static_cast<std::size_t>(bytes), how.space, how.team));
  whole_ =
      view<T, N>(reinterpret_cast<T*>(memory_->data()), extents, dense_strides(padded, how.order), memory_->space());
  origin_ = whole_.data + whole_.offset(widths.minus);
  fingerprint_ = view_with_halo().fingerprint();
}
