// Turns a description of halos into a schedule: the inspector of the halo pattern. Makes no MPI call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wherry/halo/descriptor.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/plan/schedule.hpp"

#include "regular_floor_plan.hpp"

namespace wherry {

/// Everything that determines one rank's part of a halo exchange, except the division of the cells.
struct halo_description {
  /// The numbers of the subdomains that this rank owns, ascending.
  std::vector<int> subdomains;
  /// `fields[s][f]` is field f on the rank's s-th subdomain. In the schedule it has the number s × fields + f.
  std::vector<std::vector<halo_field>> fields;
  stencil_shape stencil;
  halo_order order = halo_order::automatic;
  /// True if halo cells travel back to the cells that they are copies of; the order is then `direct`.
  bool reverse = false;
  /// True if the results then travel to the halo cells again.
  bool gives_back = false;
  /// The operations on arrival. Fields that are not stored need the order `direct`.
  plans::field_operations operations{};
  /// Sections with more bytes are cut; 0 for no limit.
  std::int64_t packet_bytes = 0;
  /// True if a field of any rank has values on planes, over a floor plan; all fields are then filled in one stage.
  bool on_planes = false;
  /// True if a field of any rank is on a device, where each stage costs a launch that waits for the one before.
  bool on_device = false;
  /// For each field, the order of its dimensions on the wire, fastest first. If empty, the order is 0, 1, 2, ….
  std::vector<std::array<int, max_halo_dimensions>> wire_order;
};

/// Checks the descriptors of one field.
/// @throws error(argument), naming field, dimension and figure, for a negative width, a core outside the array, or an
///         element without bytes.
void check_halo_field(const halo_field& field, int rank);

/// Builds the schedule of `rank` on regular grids. The cost depends only on the number of the subdomains that the halos
/// reach.
/// @param cuts one grid for all fields, or one for each (fields of different sizes, staggered grids)
/// @throws error(argument) for a core of another size than the grid's, unless neither has cells.
plans::schedule plan_halo(const halo_description& description, const std::vector<regular_floor_plan>& cuts, int rank);

/// Builds the schedule of `rank` over any floor plan, complete or partial.
/// @throws error(argument) for a core of another size than its box, unless neither has cells, or an order that this
///         plan does not allow.
template <int N>
plans::schedule plan_halo(const halo_description& description, const floor_plan<N>& plan, const domain<N>& space,
                          int rank);

}  // namespace wherry
