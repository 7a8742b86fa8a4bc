/// @file
/// Loops over a number of dimensions that is a template argument. Dimension 0 has stride 1 and is the innermost loop.
#pragma once

namespace GCL::utils {

/// Bounds of one dimension, both included, as in a halo descriptor.
struct bounds {
  int imin, imax;
};
struct bounds_sizes {
  int imin, imax, sizes;
};

/// The product of the extents of dimensions 0 to `D`; for D = -1 it is 1.
template <int D> struct prod {
  template <class Extents> int operator()(const Extents& extents) const {
    int product = 1;
    for (int d = 0; d <= D; ++d) product *= static_cast<int>(extents[d]);
    return product;
  }
};

/// The offset of the element with these indices in an array of `D` dimensions.
template <int D> struct access_to {
  template <class Indices, class Extents> int operator()(const Indices& indices, const Extents& extents) const {
    int place = 0;
    for (int d = D; d-- > 0;) place = place * static_cast<int>(extents[d]) + static_cast<int>(indices[d]);
    return place;
  }
};

/// Calls `f(tuple)` for all tuples of `I` indices within bounds.
template <int I> struct loop {
  template <class Bounds, class F, class Tuple> void operator()(const Bounds& within, F&& f, Tuple& tuple) const {
    if constexpr (I == 0) {
      f(tuple);
    } else {
      for (int i = within[I - 1].imin; i <= within[I - 1].imax; ++i) {
        tuple[I - 1] = i;
        loop<I - 1>()(within, f, tuple);
      }
    }
  }
};

/// Calls `f(tuple)` for all tuples of `I` numbers from `Low` to `High`: by default the directions of all neighbours and
/// of the rank itself.
template <int I, int Low = -1, int High = 1> struct neigh_loop {
  template <class F, class Tuple> void operator()(F&& f, Tuple& tuple) const {
    if constexpr (I == 0) {
      f(tuple);
    } else {
      for (int i = Low; i <= High; ++i) {
        tuple[I - 1] = i;
        neigh_loop<I - 1, Low, High>()(f, tuple);
      }
    }
  }
};

/// Calls `f(place)` for all elements within bounds in an array of `I` dimensions with these extents.
template <int I, class F> struct access_loop {
  template <class Bounds, class Extents>
  void operator()(const Bounds& within, const Extents& extents, F& f, int place = 0) const {
    if constexpr (I == 0) {
      f(place);
    } else {
      for (int i = within[I - 1].imin; i <= within[I - 1].imax; ++i)
        access_loop<I - 1, F>()(within, extents, f, place + i * prod<I - 2>()(extents));
    }
  }
};

}  // namespace GCL::utils
