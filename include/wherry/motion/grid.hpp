/// @file
/// Grids: arrays whose index space is a box (paper 4, section 2: Grid). Like Fortran's `real A(3:7,-5:-1)`.
#pragma once

#include <cassert>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/geometry/view.hpp"

namespace wherry {

/// An array over the points of a box that somebody else owns; indices are the box's own. With several components each
/// is an array of its own, `component_stride` elements further on. Cheap to copy.
template <class T, int N> class grid_view {
 public:
  using element_type = T;
  static constexpr int dimensions = N;

  grid_view() = default;
  /// @param first the element of `cells.lower`, component 0
  /// @param strides in elements
  grid_view(T* first, const box<N>& cells, const point<N>& strides, int components = 1, index_t component_stride = 0)
      : first_(first), cells_(cells), strides_(strides), components_(components), component_stride_(component_stride) {
    for (std::size_t d = 0; d < N; ++d) before_ += cells.lower[d] * strides[d];
  }
  /// A dense array.
  grid_view(T* first, const box<N>& cells, const layout<N>& order = fortran_layout<N>(), int components = 1)
      : grid_view(first, cells, dense_strides(cells.extents(), order), components, cells.size()) {}

  /// The same to read only.
  operator grid_view<const T, N>() const
    requires(!std::is_const_v<T>)
  {
    return {first_, cells_, strides_, components_, component_stride_};
  }

  /// Unchecked, as an array is.
  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) const {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  T& operator[](const point<N>& p) const { return first_[offset(p)]; }
  T& operator()(const point<N>& p, int component) const { return first_[offset(p) + component * component_stride_]; }

  /// The index space: KeLP's region().
  const box<N>& cells() const { return cells_; }
  T* data() const { return first_; }
  const point<N>& strides() const { return strides_; }
  int components() const { return components_; }
  index_t component_stride() const { return component_stride_; }
  /// One component as a grid of its own.
  grid_view component(int c) const { return {first_ + c * component_stride_, cells_, strides_}; }

  /// Elements from `data()` to the point.
  index_t offset(const point<N>& p) const {
    index_t sum = -before_;
    for (std::size_t d = 0; d < N; ++d) sum += p[d] * strides_[d];
    return sum;
  }

 private:
  T* first_ = nullptr;
  box<N> cells_{};
  point<N> strides_{};
  index_t before_ = 0;  // elements between the point of zeros and `first_`
  int components_ = 1;
  index_t component_stride_ = 0;
};

/// A grid with memory of its own, on the heap of this process: KeLP's Grid. Zero-filled.
/// Making one throws error(argument) for sizes that do not fit, error(resource) where there is no memory.
template <class T, int N> class grid {
 public:
  explicit grid(const box<N>& cells, const layout<N>& order = fortran_layout<N>(), int components = 1)
      : memory_(allocated(cells, components)), order_(order), cells_(cells), components_(components) {}

  grid(const grid&) = default;
  grid& operator=(const grid&) = default;
  /// Leaves a grid without cells.
  grid(grid&& other) noexcept
      : memory_(std::move(other.memory_)),
        order_(other.order_),
        cells_(std::exchange(other.cells_, {})),
        components_(other.components_) {}
  grid& operator=(grid&& other) noexcept {
    memory_ = std::move(other.memory_);
    order_ = other.order_;
    cells_ = std::exchange(other.cells_, {});
    components_ = other.components_;
    return *this;
  }

  grid_view<T, N> values() { return {memory_.data(), cells_, order_, components_}; }
  grid_view<const T, N> values() const { return {memory_.data(), cells_, order_, components_}; }
  const box<N>& cells() const { return cells_; }
  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) {
    return values()(indices...);
  }
  T& operator[](const point<N>& p) { return values()[p]; }

 private:
  static std::vector<T> allocated(const box<N>& cells, int components) {
    constexpr checked elements{"grid", "number of elements"}, bytes{"grid", "number of bytes"};
    const index_t count = elements.product(cells.size(), index_t{components});
    if (count < 0) throw error(error_kind::argument, "grid", detail::text("there are ", components, " components"));
    const auto size = static_cast<std::size_t>(bytes.product(count, static_cast<index_t>(sizeof(T))));
    return allocating("grid", "its cells", size, [&] { return std::vector<T>(static_cast<std::size_t>(count)); });
  }

  std::vector<T> memory_;
  layout<N> order_;
  box<N> cells_;
  int components_;
};

}  // namespace wherry
