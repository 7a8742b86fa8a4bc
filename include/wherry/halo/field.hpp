/// @file
/// Fields: arrays with halos. `field` owns node-shared memory; `halo_view` is over memory of the user's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

/// A view over a user's array together with its halo descriptors. The array's element whose indices are all 0 is at
/// `array.data`. Cheap to copy; owns nothing.
template <class T, int N> struct halo_view {
  static_assert(std::is_trivially_copyable_v<T>, "an element travels as bytes, so it must be trivially copyable");
  static_assert(N >= 1 && N <= max_halo_dimensions, "fields of 1 to 4 dimensions can be exchanged");

  view<T, N> array;
  std::array<halo_descriptor, static_cast<std::size_t>(N)> halo;
  std::string name;

  /// @param descriptors one a dimension; their lengths are the array's extents
  halo_view(const view<T, N>& whole, const std::array<halo_descriptor, static_cast<std::size_t>(N)>& descriptors,
            std::string called = {})
      : array(whole), halo(descriptors), name(std::move(called)) {}

  /// All of the array is core and halo, without padding.
  halo_view(const view<T, N>& whole, const halo_widths<N>& widths, std::string called = {})
      : array(whole), name(std::move(called)) {
    for (std::size_t d = 0; d < N; ++d)
      halo[d] = {widths.minus[d], widths.plus[d], widths.minus[d], whole.extents[d] - widths.plus[d] - 1,
                 whole.extents[d]};
  }

  T* data() const { return array.data; }
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
  /// @throws error(resource) when the node-shared memory is exhausted, error(argument) for a negative size or width.
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
  std::shared_ptr<node_memory> memory_;
};

/// Erases the types.
template <class T, int N> halo_field describe(const halo_view<T, N>& typed) {
  halo_field result;
  result.name = typed.name;
  result.data = const_cast<std::remove_const_t<T>*>(typed.array.data);
  result.element = static_cast<index_t>(sizeof(T));
  result.dimensions = N;
  result.space = typed.array.space;
  result.type = element_of<T>();
  for (std::size_t d = 0; d < N; ++d) {
    result.halo[d] = typed.halo[d];
    result.stride[d] = typed.array.strides[d] * static_cast<index_t>(sizeof(T));
  }
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
  point<N> extents;
  index_t cells = 1;
  for (std::size_t d = 0; d < N; ++d) {
    if (core[d] < 0 || widths.minus[d] < 0 || widths.plus[d] < 0)
      throw error(error_kind::argument, "field",
                  text("dimension ", d, " has ", core[d], " core cells and halos of ", widths.minus[d], " and ",
                       widths.plus[d]),
                  comm.rank());
    extents[d] = core[d] + widths.minus[d] + widths.plus[d];
  }
  // Rows a power of two apart fall into the same few cache sets; one cache line more spreads them.
  point<N> padded = extents;
  const auto fastest =
      static_cast<std::size_t>(std::find(how.order.place.begin(), how.order.place.end(), 0) - how.order.place.begin());
  const index_t line = std::max<index_t>(1, 64 / static_cast<index_t>(sizeof(T)));
  if (how.pad_rows && N > 1 && (padded[fastest] * static_cast<index_t>(sizeof(T))) % 512 == 0) padded[fastest] += line;
  for (std::size_t d = 0; d < N; ++d) cells *= padded[d];
  memory_ = std::make_shared<node_memory>(comm, static_cast<std::size_t>(std::max<index_t>(cells, 1)) * sizeof(T));
  whole_ =
      view<T, N>(reinterpret_cast<T*>(memory_->data()), extents, dense_strides(padded, how.order), memory_->space());
  origin_ = whole_.data + whole_.offset(widths.minus);
}
