// The part of a regular grid, of any size, that one rank has to know.
#pragma once

#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// The halo widths of a field, and the field's and the rank's number for error texts.
template <int N> struct field_reach {
  const halo_widths<N>& widths;
  std::size_t field = 0;
  int rank = 0;
};

/// The rank's subdomains, and all subdomains from which their halos are filled or whose halos they fill. The work
/// depends on the number of these subdomains alone.
/// @throws error(argument) for a subdomain of the rank that is not in `subdomains`.
template <int N>
floor_plan<N> neighborhood(const regular_floor_plan& cells, const std::vector<int>& subdomains,
                           const field_reach<N>& reach);

namespace detail {

template <int N> domain<N> space_of(const regular_floor_plan& cells);

}  // namespace detail

}  // namespace wherry
