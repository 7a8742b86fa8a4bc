/// @file
/// Describes the data of one transfer between two ranks, without its type: raw bytes, a section of an array, or a
/// region of a user's data structure. `alltoall_exchange`, `buffer_exchange` and the rooted patterns take these
/// descriptions.
///
///     exchange.send(2, wherry::section_of(u, wherry::box<2>{{0, 0}, {10, 1}}));  // the first row of a field
///     exchange.receive(3, wherry::section_of(array));                            // a whole view
///     exchange.commit();
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/halo/field.hpp"
#include "wherry/plan/block.hpp"
#include "wherry/plan/functions.hpp"

namespace wherry {

/// A rectangular part of an array of up to 7 dimensions. Refers to the array and owns nothing. `section_of` makes it.
struct array_section {
  void* data = nullptr;  ///< the part's first element: lowest index in every dimension
  index_t element = 1;   ///< bytes
  int dimensions = 0;    ///< 0 for a single element
  std::array<index_t, plans::max_block_rank> extents{}, strides{};  ///< strides in bytes
  memory_space space = memory_space::host;
  std::string problem;         ///< why the section is invalid; the pattern that gets it reports this on all ranks alike
  plans::element_type type{};  ///< kind and bytes of the numbers in an element
  bool read_only = false;      ///< true if the elements are const: they may be sent, but not received into

  index_t elements() const {
    index_t count = 1;
    for (int d = 0; d < dimensions; ++d) {
      if (extents[static_cast<std::size_t>(d)] == 0) return 0;
      count =
          detail::checked{"array_section", "number of elements"}.product(count, extents[static_cast<std::size_t>(d)]);
    }
    return count;
  }
  index_t bytes() const { return detail::checked{"array_section", "number of bytes"}.product(elements(), element); }
};

/// The section `part` of a view, in the view's indices. A part that reaches beyond the array is reported later, by the
/// pattern that gets the section.
template <class T, int N> array_section section_of(const view<T, N>& array, const box<N>& part) {
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N <= plans::max_block_rank, "sections of at most 7 dimensions can travel");
  array_section result;
  result.element = static_cast<index_t>(sizeof(T));
  result.dimensions = N;
  result.space = array.space;
  result.type = plans::element_of<T>();
  result.read_only = std::is_const_v<T>;
  for (std::size_t d = 0; d < N; ++d) {
    result.extents[d] = part.extent(static_cast<int>(d));
    result.strides[d] =
        detail::checked{"section", "stride in bytes"}.product(array.strides[d], static_cast<index_t>(sizeof(T)));
    if (part.empty() || (part.lower[d] >= 0 && part.upper[d] <= array.extents[d])) continue;
    result.problem = detail::text("the section reaches from ", part.lower[d], " to ", part.upper[d], " in dimension ",
                                  d, ", but the array from 0 to ", array.extents[d]);
  }
  if (array.data != nullptr && !part.empty() && result.problem.empty())
    result.data = const_cast<std::remove_const_t<T>*>(array.data + array.offset(part.lower));
  return result;
}
/// The whole of a view.
template <class T, int N> array_section section_of(const view<T, N>& array) { return section_of(array, array.whole()); }
/// The core of a field or halo view.
template <class T, int N> array_section section_of(const halo_view<T, N>& array) {
  box<N> core;
  for (std::size_t d = 0; d < N; ++d) {
    core.lower[d] = array.halo()[d].begin;
    core.upper[d] = array.halo()[d].end + 1;
  }
  return section_of(array.array(), core);
}
template <class T, int N> array_section section_of(field<T, N>& array) { return section_of(array.view_with_halo()); }
template <class T, int N> array_section section_of(const field<T, N>& array) {
  return section_of(array.view_with_halo());
}
/// The section `part` of a field, in the field's indices, which count from the first core cell. The part may contain
/// halo cells.
template <class T, int N> array_section section_of(field<T, N>& array, const box<N>& part) {
  return section_of(array.view_with_halo().array(), shift<N>(part, array.widths().minus));
}
template <class T, int N> array_section section_of(const field<T, N>& array, const box<N>& part) {
  return section_of(array.view_with_halo().array(), shift<N>(part, array.widths().minus));
}

/// A data structure of the user that the library accesses only through two functions (GCL, section 1: layer L1).
struct user_structure {
  void* data = nullptr;  ///< first argument of the functions; not null
  plans::accessor code;
};

/// Makes a user structure from an object and two functions that know its type:
///     make_structure(particles,
///                    [](const Particles& from, index_t region, std::byte* wire) { … },    // gather
///                    [](Particles& into, index_t region, const std::byte* wire) { … });   // scatter
/// The result keeps a pointer to `structure`, which must outlive the exchanges. The functions are called inside
/// `start`, `test` and `wait`. They must move exactly the bytes of the region and must not call the exchange.
template <class Structure, class Gather, class Scatter>
user_structure make_structure(Structure& structure, Gather gather, Scatter scatter) {
  user_structure result;
  result.data = std::addressof(structure);
  result.code.gather = [gather](const void* from, std::int64_t region, std::byte* wire) {
    gather(*static_cast<const Structure*>(from), region, wire);
  };
  result.code.scatter = [scatter](void* into, std::int64_t region, const std::byte* wire) {
    scatter(*static_cast<Structure*>(into), region, wire);
  };
  return result;
}

namespace detail {

/// The data that goes to, or comes from, one rank.
struct transfer {
  enum class form : int { bytes, section, region };
  /// The peer of a transfer beyond the edge of a mesh. Nothing is sent, but the transfer is kept so that registering it
  /// again replaces it.
  static constexpr int nobody = std::numeric_limits<int>::min();

  form kind = form::bytes;
  int peer = 0;
  int label = 0;         ///< the transfers of two ranks are paired by label, then in the order of registration
  array_section what;    ///< for `bytes` one element of that size; for `region` its `data` is the structure
  plans::accessor code;  ///< only for `region`
  index_t region = 0;    ///< only for `region`

  index_t bytes() const { return what.bytes(); }

  static transfer of(int peer, int label, const void* buffer, index_t bytes, memory_space space = memory_space::host);
  static transfer of(int peer, int label, array_section part);
  static transfer of(int peer, int label, const user_structure& structure, index_t region, index_t bytes);
};

}  // namespace detail

}  // namespace wherry
