/// @file
/// What a partial floor plan knows besides its own rank's parts, so that motions can be refused that need more.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wherry/geometry/box.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry::detail {

/// One `resolve`: the parts that touch this rank's within a reach, in a space; or those of another floor plan.
struct acquaintance {
  std::array<index_t, max_dimensions> minus{}, plus{}, lower{}, upper{};
  std::array<bool, max_dimensions> periodic{};
  std::uint64_t pair = 0;  ///< 0: of the plan itself; else the same number in both plans

  acquaintance() = default;
  template <int N>
  acquaintance(const halo_widths<N>& reach, const domain<N>& space, std::uint64_t with = 0) : pair(with) {
    for (std::size_t d = 0; d < N; ++d) {
      minus[d] = reach.minus[d];
      plus[d] = reach.plus[d];
      lower[d] = space.cells.lower[d];
      upper[d] = space.cells.upper[d];
      periodic[d] = space.periodic[d] && upper[d] > lower[d];
    }
  }
  /// Whether who knows this knows what a motion of these widths in this space needs.
  bool covers(const acquaintance& needed) const;
};

/// Of a plan that somebody has written down nobody knows what it knows: `is_said` is false then.
struct plan_knowledge {
  bool is_said = false;
  std::vector<acquaintance> all{};

  bool covers(const acquaintance& needed) const;
};

/// After a `resolve` on `rank`. A plan that knew no other rank's parts knows what it has been told, and no more.
template <class Plan> plan_knowledge knowledge_after(const Plan& plan, int rank, const acquaintance& learned) {
  auto known = plan.knowledge();
  known.is_said = known.is_said || plan.owned_by(rank).size() == plan.owners().size();
  known.all.push_back(learned);
  return known;
}

/// A number that no other pair of this process has.
std::uint64_t next_pair();

/// @throws error(argument) where a partial plan is known to know less than `needed` of its own parts
void require_knowledge(const char* where, bool is_complete, const plan_knowledge& known, const acquaintance& needed,
                       int rank);
/// Of a complete plan both sides know all parts, and an empty one, which is complete, meets none.
/// @throws error(argument) where two partial plans are known not to have been resolved together
void require_pair(const char* where, bool one_is_complete, const plan_knowledge& from, const plan_knowledge& to,
                  const acquaintance& needed, int rank);

}  // namespace wherry::detail
