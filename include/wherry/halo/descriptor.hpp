/// @file
/// Halo descriptors: the sizes of core, halo and padding of a field along one dimension (GCL, section 4, figure 3).
/// `field`, `halo_around` and `halo_inside` make them; users need them only for arrays with padding (see `halo_view`).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "wherry/core/memory_space.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/plan/element.hpp"

namespace wherry {

/// The largest number of dimensions of a halo exchange.
inline constexpr int max_halo_dimensions = 4;

/// GCL's five integers for one dimension. The cells from `begin` to `end`, both included, are the core. The `minus`
/// cells before it and the `plus` cells behind it are the halo. `length` is the number of all cells, including any
/// padding beyond the halo.
struct halo_descriptor {
  index_t minus = 0, plus = 0, begin = 0, end = -1, length = 0;

  /// The number of core cells; 0 for an empty subdomain.
  constexpr index_t core() const { return end - begin + 1; }
  bool operator==(const halo_descriptor&) const = default;
};

/// One field on one subdomain, with its type erased. `halo_of` makes it from fields and views, and the C, Fortran and
/// Python bindings make it from their arguments.
struct halo_field {
  std::string name;
  void* data = nullptr;  ///< the address of the first element of the array, which is a halo cell if there is a halo
  index_t element = 1;   ///< bytes
  int dimensions = 0;
  std::array<halo_descriptor, max_halo_dimensions> halo{};
  std::array<index_t, max_halo_dimensions> stride{};  ///< bytes
  /// For each dimension, true if the values sit on planes; the core then has one value more than cells (see
  /// `centring`).
  std::array<bool, max_halo_dimensions> on_planes{};
  memory_space space = memory_space::host;
  plans::element_type type{};  ///< kind and bytes of the numbers in an element; raw bytes match every type
};

namespace detail {

/// A hash of everything but the name and the address. An exchange can be started with any field that has the same hash.
std::uint64_t fingerprint_of(const halo_field& field);

}  // namespace detail

}  // namespace wherry
