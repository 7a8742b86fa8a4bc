/// @file
/// Grids: arrays whose index space is a box, like Fortran's `real A(3:7,-5:-1)` (KeLP's Grid; KeLP, section 2).
///
///     wherry::grid<double, 2> a(wherry::box<2>{{3, -5}, {8, 0}});
///     a(3, -5) = 1;
///     auto values = a.values();  // a view: cheap to copy, valid while `a` lives
///     for_each_point(values.cells(), [&](const auto& p) { values[p] += 1; });
///
/// For grids that ranks exchange use `x_array` (x_array.hpp); for an array indexed from 0, `view`.
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

/// A view of an array over the points of a box, in memory that the view does not own. The indices are the points'
/// coordinates. Each component is an array of its own, `component_stride` elements after the previous one.
template <class T, int N> class grid_view {
 public:
  using element_type = T;
  static constexpr int dimensions = N;

  grid_view() = default;
  /// @param first the element at `cells.lower`, component 0
  /// @param strides the distance between neighbours along each dimension, in elements
  /// @param component_stride the distance between components, in elements
  grid_view(T* first, const box<N>& cells, const point<N>& strides, int components = 1, index_t component_stride = 0)
      : first_(first), cells_(cells), strides_(strides), components_(components), component_stride_(component_stride) {
    for (std::size_t d = 0; d < N; ++d) before_ += cells.lower[d] * strides[d];
  }
  /// Views a dense array: no padding between rows or components.
  grid_view(T* first, const box<N>& cells, const layout<N>& order = fortran_layout<N>(), int components = 1)
      : grid_view(first, cells, dense_strides(cells.extents(), order), components, cells.size()) {}

  /// A view of the same elements that can only be read.
  operator grid_view<const T, N>() const
    requires(!std::is_const_v<T>)
  {
    return {first_, cells_, strides_, components_, component_stride_};
  }

  /// The element at a point. Indices are not checked.
  template <class... Indices>
    requires(sizeof...(Indices) == N)
  T& operator()(Indices... indices) const {
    return (*this)[point<N>{static_cast<index_t>(indices)...}];
  }
  T& operator[](const point<N>& p) const { return first_[offset(p)]; }
  T& operator()(const point<N>& p, int component) const { return first_[offset(p) + component * component_stride_]; }

  /// The index space (KeLP: region()).
  const box<N>& cells() const { return cells_; }
  T* data() const { return first_; }
  const point<N>& strides() const { return strides_; }
  int components() const { return components_; }
  index_t component_stride() const { return component_stride_; }
  /// A view of one component.
  grid_view component(int c) const { return {first_ + c * component_stride_, cells_, strides_}; }

  /// The distance from `data()` to the element at a point, in elements.
  index_t offset(const point<N>& p) const {
    index_t sum = -before_;
    for (std::size_t d = 0; d < N; ++d) sum += p[d] * strides_[d];
    return sum;
  }

 private:
  T* first_ = nullptr;
  box<N> cells_{};
  point<N> strides_{};
  index_t before_ = 0;  // elements from the origin of the coordinates to `first_`
  int components_ = 1;
  index_t component_stride_ = 0;
};

/// A grid that owns its memory, on the heap of this process.
template <class T, int N> class grid {
 public:
  /// Local. The elements are value-initialized (numbers are 0).
  /// @throws error(argument) for a size that does not fit in 64 bits or a negative number of
  ///         components; error(resource) if there is not enough memory.
  explicit grid(const box<N>& cells, const layout<N>& order = fortran_layout<N>(), int components = 1)
      : memory_(allocated(cells, components)), order_(order), cells_(cells), components_(components) {}

  grid(const grid&) = default;
  grid& operator=(const grid&) = default;
  /// The grid that is moved from has no cells afterwards.
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
    constexpr detail::checked elements{"grid", "number of elements"}, bytes{"grid", "number of bytes"};
    const index_t count = elements.product(cells.size(), index_t{components});
    if (count < 0)
      throw error(error_kind::argument, "grid", detail::text("'components' is ", components, ", expected 0 or more"));
    const auto size = static_cast<std::size_t>(bytes.product(count, static_cast<index_t>(sizeof(T))));
    return detail::allocating("grid", "its cells", size,
                              [&] { return std::vector<T>(static_cast<std::size_t>(count)); });
  }

  std::vector<T> memory_;
  layout<N> order_;
  box<N> cells_;
  int components_;
};

}  // namespace wherry
