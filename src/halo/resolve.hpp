// The collective step before the plan of a halo exchange: ranks tell each other the sizes of their subdomains and agree
// on the fields.
#pragma once

#include <array>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

#include "axis_mapping.hpp"
#include "regular_floor_plan.hpp"
#include "unfilled_rim.hpp"

namespace wherry {

/// The results of the agreement.
struct resolved_halos {
  std::vector<regular_floor_plan> cuts;                          // for each field, the division of its values
  std::vector<std::array<int, max_halo_dimensions>> wire_order;  // one for each field
  /// This rank's fields as they are planned: each value has one owner, and halo widths are the same on all ranks. A
  /// plane between two cells belongs to the cell above it, and the last plane of a mesh to the cell below; on other
  /// ranks the plane is halo. On a side without a neighbour the width has no meaning and may reach beyond the array.
  std::vector<halo_field> fields;
  std::vector<field_rim> rims;  ///< of fields with all values in cells
};

/// Collective over the grid's communicator. Ranks outside the grid contribute nothing, and a rank whose field has no
/// cells contributes only the extents that are not 0. The plan compares what such a rank left open.
/// @param fields the fields of this rank
/// @throws error(mismatch) on all ranks alike if ranks differ in the number of fields, dimensions, element sizes,
///         centring, halo widths towards a neighbour, or the extent of subdomains that share a coordinate of the grid.
resolved_halos resolve_halos(const process_grid& grid, const axis_mapping& mapping,
                             const std::vector<halo_field>& fields);

/// The results of the agreement over a floor plan.
struct agreed_fields {
  std::vector<std::array<int, max_halo_dimensions>> wire_order;  ///< one for each field
  bool on_planes = false;                                        ///< true if any field has values on planes
};
/// The agreement for fields over a floor plan. Collective over `comm`. Ranks without subdomains contribute nothing.
/// @param fields `fields[s][f]` is field f on the rank's s-th subdomain
/// @throws error(mismatch) on all ranks alike if ranks differ in the number of fields, element sizes, halo widths or
///         centring.
agreed_fields agree_on_fields(const communicator& comm, int dimensions,
                              const std::vector<std::vector<halo_field>>& fields);

/// The dimensions of a field by increasing stride, which is the fastest order for its cells to travel in.
std::array<int, max_halo_dimensions> stride_order(const halo_field& field);

}  // namespace wherry
