// What no rank can know alone: the sizes of the others' subdomains. One collective step before the plan.
#pragma once

#include <array>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

#include "axis_mapping.hpp"
#include "regular_floor_plan.hpp"
#include "unfilled_rim.hpp"

namespace wherry {

/// What the ranks must agree on, and what they learn from one another.
struct resolved_halos {
  std::vector<regular_floor_plan> cuts;                          // one a field, of its values
  std::vector<std::array<int, max_halo_dimensions>> wire_order;  // one a field
  /// This rank's as they are planned: each value has one owner, and halos are as wide on all ranks. A plane between two
  /// cells is owned with the cell above it, the last one of a mesh with the cell below; to the others it is halo. Where
  /// nobody is beyond a side its width says nothing, and may reach beyond the array.
  std::vector<halo_field> fields;
  std::vector<field_rim> rims;  ///< of fields whose values all sit in cells
};

/// Collective. `fields` are this rank's; ranks outside the grid contribute nothing.
/// @throws error(mismatch) on all ranks alike when they disagree on the number of fields, dimensions, element sizes,
///         centring, halo widths towards a neighbour, or on the size of a subdomain that they share with a neighbour
///         along another axis.
resolved_halos resolve_halos(const process_grid& grid, const axis_mapping& mapping,
                             const std::vector<halo_field>& fields);

/// The same for a floor plan, which all ranks hold already: `fields[s][f]` is field f on the rank's s-th subdomain;
/// ranks without subdomains contribute nothing. Collective.
/// @throws error(mismatch) on all ranks alike when they disagree on the number of fields, element sizes, halo widths or
///         centring.
struct agreed_fields {
  std::vector<std::array<int, max_halo_dimensions>> wire_order;  ///< one a field
  bool on_planes = false;                                        ///< any of them
};
agreed_fields agree_on_fields(const communicator& comm, int dimensions,
                              const std::vector<std::vector<halo_field>>& fields);

/// The dimensions of a field by increasing stride: the order in which its cells travel fastest.
std::array<int, max_halo_dimensions> stride_order(const halo_field& field);

}  // namespace wherry
