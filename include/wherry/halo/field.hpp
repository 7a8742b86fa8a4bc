/// @file
/// Fields: arrays with halos. `field` owns node-shared memory; `halo_view` is over memory of the user's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "wherry/core/checked.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

/// A view over a user's array together with its halo descriptors. The array's element whose indices are all 0 is at
/// `array().data`. Cheap to copy; owns nothing.
template <class T, int N> class halo_view {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "an element travels as bytes, so it must be trivially copyable");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using descriptors = std::array<halo_descriptor, static_cast<std::size_t>(N)>;

  /// @param halo one descriptor a dimension; their lengths are the array's extents
  halo_view(const view<T, N>& whole, const descriptors& halo, std::string called = {})
      : array_(whole), halo_(halo), name_(std::move(called)), fingerprint_(fingerprint_of(erased())) {}

  /// All of the array is core and halo, without padding.
  halo_view(const view<T, N>& whole, const halo_widths<N>& widths, std::string called = {})
      : halo_view(whole, all_of(whole, widths), std::move(called)) {}

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
      result.stride[d] =
          checked{"describe", "stride in bytes"}.product(array_.strides[d], static_cast<index_t>(sizeof(T)));
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
  std::string name_;
  std::uint64_t fingerprint_;
};

/// How a field is laid out in memory.
template <int N> struct field_options {
  layout<N> order = fortran_layout<N>();
  /// Lengthen rows where their size would make neighbouring rows compete for the same cache sets.
  bool pad_rows = true;
  std::string name{};
};

/// An N-dimensional array of T with halos, in node-shared memory so that ranks of the node can read it in place.
/// Indices count from the first core cell: 0 to extent-1 is the core, below and above is halo. Movable, not copyable.
/// Zero-filled at first. Keeps its communicator's private state alive; may outlive MPI_Finalize.
template <class T, int N> class field {
 public:
  static_assert(std::is_trivially_copyable_v<T>, "an element travels as bytes, so it must be trivially copyable");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");
  using element_type = T;
  static constexpr int dimensions = N;

  /// Local. @param core cells of this rank's core, possibly 0
  /// @throws error(resource) when the node-shared memory is exhausted; error(argument) for a negative size or width, or
  ///         more bytes than an index_t can count.
  field(const communicator& comm, const point<N>& core, const halo_widths<N>& widths, const field_options<N>& how = {});

  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) const {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  T& operator[](const point<N>& p) const { return origin_[whole_.offset(p)]; }

  /// The core as a box: from 0 to the core's extents.
  box<N> core() const { return box_of<N>(core_); }
  /// Core and halo.
  box<N> whole() const { return grow<N>(core(), widths_.minus, widths_.plus); }
  /// Elements between neighbours along each dimension.
  const point<N>& strides() const { return whole_.strides; }
  /// The first core cell.
  T* origin() const { return origin_; }
  /// The cell whose array indices are all 0: the first halo cell.
  T* data() const { return whole_.data; }
  memory_space space() const { return whole_.space; }
  const halo_widths<N>& widths() const { return widths_; }
  /// The shape as one word: what `start` compares with what was bound.
  std::uint64_t fingerprint() const { return fingerprint_; }

  halo_view<T, N> view_with_halo() const {
    std::array<halo_descriptor, static_cast<std::size_t>(N)> halo;
    for (std::size_t d = 0; d < N; ++d)
      halo[d] = {widths_.minus[d], widths_.plus[d], widths_.minus[d], widths_.minus[d] + core_[d] - 1,
                 whole_.extents[d]};
    return {whole_, halo, name_};
  }

 private:
  point<N> core_;
  halo_widths<N> widths_;
  std::string name_;
  view<T, N> whole_;
  T* origin_ = nullptr;
  std::uint64_t fingerprint_ = 0;
  std::shared_ptr<node_memory> memory_;
};

/// Erases the types.
template <class T, int N> halo_field describe(const halo_view<T, N>& typed) {
  auto result = typed.erased();
  result.name = typed.name();
  return result;
}
template <class T, int N> halo_field describe(const field<T, N>& typed) { return describe(typed.view_with_halo()); }

}  // namespace wherry

template <class T, int N>
wherry::field<T, N>::field(const communicator& comm, const point<N>& core, const halo_widths<N>& widths,
                           const field_options<N>& how)
    : core_(core), widths_(widths), name_(how.name) {
  if (!how.order.is_permutation())
    throw error(error_kind::argument, "field", "the layout is not a permutation of the dimensions", comm.rank());
  const checked extent{"field", "extent with halos", comm.rank()}, size{"field", "number of bytes", comm.rank()};
  point<N> extents;
  for (std::size_t d = 0; d < N; ++d) {
    if (core[d] < 0 || widths.minus[d] < 0 || widths.plus[d] < 0)
      throw error(error_kind::argument, "field",
                  text("dimension ", d, " has ", core[d], " core cells and halos of ", widths.minus[d], " and ",
                       widths.plus[d]),
                  comm.rank());
    extents[d] = extent.sum(extent.sum(core[d], widths.minus[d]), widths.plus[d]);
  }
  constexpr auto element = static_cast<index_t>(sizeof(T));
  const point<N> padded = how.pad_rows ? padded_extents(extents, how.order, element, size) : extents;
  index_t bytes = element;
  const bool empty = std::count(padded.begin(), padded.end(), 0) > 0;
  for (std::size_t d = 0; d < N && !empty; ++d) bytes = size.product(bytes, padded[d]);
  memory_ = std::make_shared<node_memory>(comm, static_cast<std::size_t>(bytes));
  whole_ =
      view<T, N>(reinterpret_cast<T*>(memory_->data()), extents, dense_strides(padded, how.order), memory_->space());
  origin_ = whole_.data + whole_.offset(widths.minus);
  fingerprint_ = view_with_halo().fingerprint();
}
