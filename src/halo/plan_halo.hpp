// From a description of halos to a schedule: the inspector of the halo pattern. Pure; no MPI.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wherry/halo/descriptor.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/plan/schedule.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// What determines one rank's part of a halo exchange, besides how the cells are divided.
struct halo_description {
  /// Numbers of the subdomains that this rank owns, ascending.
  std::vector<int> subdomains;
  /// `fields[s][f]`: field f on the rank's s-th subdomain. In the schedule it has number s × fields + f.
  std::vector<std::vector<halo_field>> fields;
  stencil_shape stencil;
  halo_order order = halo_order::automatic;
  /// True: halo cells travel back to the cells they are copies of. Always `direct`.
  bool reverse = false;
  /// And the other way again.
  bool and_back = false;
  /// What happens on arrival: `store`, or a place in `functions::reductions`. Other than `store` it is `direct`.
  int operation = detail::store;
  /// Sections that are longer are cut; 0: none.
  std::int64_t packet_bytes = 0;
  /// Fields of any rank have values on planes, over a floor plan: all are filled in one stage.
  bool on_planes = false;
  /// Fields of any rank are on a device, where a stage is a launch that waits for the one before it.
  bool on_device = false;
  /// The order of dimensions on the wire, fastest first, one a field; empty: 0, 1, 2, …
  std::vector<std::array<int, max_halo_dimensions>> wire_order;
};

/// Checks one field's descriptors by themselves.
/// @throws error(argument) naming field, dimension and figure: negative width, core outside the length, no element
/// size.
void check_halo_field(const halo_field& field, int rank);

/// Builds the schedule of `rank` on regular grids: one for all fields, or one each (fields of different sizes,
/// staggered grids). Costs a number of operations that depends on the rank's neighbours only.
/// @throws error(argument) for a halo wider than the core it is filled from, a core whose size is not the grid's.
schedule plan_halo(const halo_description& description, const std::vector<regular_floor_plan>& cuts, int rank);

/// The same for boxes of all kinds, which all ranks know, or each those it has to do with.
/// @throws error(argument) for a core whose size is not its box's, an order that other plans cannot have.
template <int N>
schedule plan_halo(const halo_description& description, const floor_plan<N>& plan, const domain<N>& space, int rank);

}  // namespace wherry
