/// @file
/// What one rank sends to another: raw bytes, a section of an array, or a region of the user's own data structure.
/// Values with types erased; no MPI. `all_to_all` and `buffer_exchange` are made of them.
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

/// A rectangular part of an array of up to 7 dimensions. Owns nothing.
struct array_section {
  void* data = nullptr;  ///< the part's first element: lowest index in every dimension
  index_t element = 1;   ///< bytes
  int dimensions = 0;    ///< 0: a single element
  std::array<index_t, max_block_rank> extents{}, strides{};  ///< strides in bytes
  memory_space space = memory_space::host;
  std::string problem;     ///< why this is not a section; reported, on all ranks alike, by what it is given to
  element_type type{};     ///< what an element consists of
  bool read_only = false;  ///< of const elements: may be sent, not received into

  index_t elements() const {
    index_t count = 1;
    for (int d = 0; d < dimensions; ++d) {
      if (extents[static_cast<std::size_t>(d)] == 0) return 0;
      count = checked{"array_section", "number of elements"}.product(count, extents[static_cast<std::size_t>(d)]);
    }
    return count;
  }
  index_t bytes() const { return checked{"array_section", "number of bytes"}.product(elements(), element); }
};

/// The part of a view inside `part`.
template <class T, int N> array_section section(const view<T, N>& array, const box<N>& part) {
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  static_assert(N <= max_block_rank, "sections of at most 7 dimensions can travel");
  array_section result;
  result.element = static_cast<index_t>(sizeof(T));
  result.dimensions = N;
  result.space = array.space;
  result.type = element_of<T>();
  result.read_only = std::is_const_v<T>;
  for (std::size_t d = 0; d < N; ++d) {
    result.extents[d] = part.extent(static_cast<int>(d));
    result.strides[d] =
        checked{"section", "stride in bytes"}.product(array.strides[d], static_cast<index_t>(sizeof(T)));
    if (part.empty() || (part.lower[d] >= 0 && part.upper[d] <= array.extents[d])) continue;
    result.problem = detail::text("the section reaches from ", part.lower[d], " to ", part.upper[d], " in dimension ",
                                  d, ", the array from 0 to ", array.extents[d]);
  }
  if (array.data != nullptr && !part.empty() && result.problem.empty())
    result.data = const_cast<std::remove_const_t<T>*>(array.data + array.offset(part.lower));
  return result;
}
/// All of a view.
template <class T, int N> array_section section(const view<T, N>& array) { return section(array, array.whole()); }
/// The core of a field with halos.
template <class T, int N> array_section section(const halo_view<T, N>& array) {
  box<N> core;
  for (std::size_t d = 0; d < N; ++d) {
    core.lower[d] = array.halo()[d].begin;
    core.upper[d] = array.halo()[d].end + 1;
  }
  return section(array.array(), core);
}
template <class T, int N> array_section section(field<T, N>& array) { return section(array.view_with_halo()); }
template <class T, int N> array_section section(const field<T, N>& array) { return section(array.view_with_halo()); }
/// A part of a field in the field's own indices, which count from the first core cell; halo cells are allowed.
template <class T, int N> array_section section(field<T, N>& array, const box<N>& part) {
  return section(array.view_with_halo().array(), shift<N>(part, array.widths().minus));
}
template <class T, int N> array_section section(const field<T, N>& array, const box<N>& part) {
  return section(array.view_with_halo().array(), shift<N>(part, array.widths().minus));
}

/// A structure of the user's that the library sees only through two functions (paper 1, section 1: the layer L1).
struct user_structure {
  void* data = nullptr;  ///< what the functions get; not null
  accessor code;
};

/// A user's structure from two functions of its own type:
///     make_structure(particles,
///                    [](const Particles& from, index_t region, std::byte* wire) { … },    // gather
///                    [](Particles& into, index_t region, const std::byte* wire) { … });   // scatter
/// Keeps a pointer to `structure`, which must outlive the exchanges. The functions run inside `start`, `test` and
/// `wait`, must move exactly the bytes of the region, and must not call the exchange.
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

/// One thing that goes to, or comes from, one rank.
struct transfer {
  enum class form : int { bytes, section, region };
  /// The peer beyond the edge of a mesh: nothing goes there, but registering it again is noticed as anywhere else.
  static constexpr int nobody = std::numeric_limits<int>::min();

  form kind = form::bytes;
  int peer = 0;
  int label = 0;       ///< transfers between two ranks pair up by label, then in the order of registration
  array_section what;  ///< bytes: one element of that size; region: `data` is the structure
  accessor code;       ///< region only
  index_t region = 0;  ///< region only

  index_t bytes() const { return what.bytes(); }

  static transfer of(int peer, int label, const void* buffer, index_t bytes, memory_space space = memory_space::host);
  static transfer of(int peer, int label, array_section part);
  static transfer of(int peer, int label, const user_structure& structure, index_t region, index_t bytes);
};

}  // namespace detail

}  // namespace wherry
