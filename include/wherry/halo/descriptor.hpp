/// @file
/// Halo descriptors: one dimension of one field (paper 1, section 4, figure 3).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "wherry/core/memory_space.hpp"
#include "wherry/geometry/halo_widths.hpp"
#include "wherry/plan/element.hpp"

namespace wherry {

/// Most dimensions of a halo exchange.
inline constexpr int max_halo_dimensions = 4;

/// GCL's five integers. Cells `begin` to `end` (inclusive) are the core; `minus` cells before and `plus` cells behind
/// it are halo; all `length` cells of the dimension may include padding beyond that.
struct halo_descriptor {
  index_t minus = 0, plus = 0, begin = 0, end = -1, length = 0;

  /// Cells of the core; 0 for an empty subdomain.
  constexpr index_t core() const { return end - begin + 1; }
  bool operator==(const halo_descriptor&) const = default;
};

/// One field on one subdomain, with types erased: what the halo module and everything below it works on. Typed fields
/// and views turn into this (`halo_of`); so do arguments from C, Fortran and Python.
struct halo_field {
  std::string name;
  void* data = nullptr;  ///< the element whose indices are all 0
  index_t element = 1;   ///< bytes
  int dimensions = 0;
  std::array<halo_descriptor, max_halo_dimensions> halo{};
  std::array<index_t, max_halo_dimensions> stride{};  ///< bytes
  /// One a dimension: its core are the planes of the rank's cells, one more than these, see `centring`.
  std::array<bool, max_halo_dimensions> on_planes{};
  memory_space space = memory_space::host;
  element_type type{};  ///< what an element consists of; raw bytes fit everything
};

/// All but the name and the address as one word: fields of equal words can take each other's place.
std::uint64_t fingerprint_of(const halo_field& field);

}  // namespace wherry
