// What a rank has to know of a regular grid of any size.
#pragma once

#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/stencil_shape.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// How far a field reaches, and whose it is.
template <int N> struct field_reach {
  const halo_widths<N>& widths;
  const stencil_shape& stencil;
  std::size_t field = 0;
  int rank = 0;
};

/// The rank's subdomains and those beside them: constant work among a million.
/// @throws error(argument) for a halo wider than the core that it is filled from, and a subdomain of the rank that it
///         was not given.
template <int N>
floor_plan<N> neighborhood(const regular_floor_plan& cells, const std::vector<int>& subdomains,
                           const field_reach<N>& reach);

template <int N> domain<N> space_of(const regular_floor_plan& cells);

}  // namespace wherry
