/// @file
/// Records the reaches and domains for which a partial floor plan was resolved, so that a motion that needs more is
/// refused with an error instead of being carried incompletely.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wherry/geometry/box.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry::detail {

/// The knowledge from one call of `resolve`: the plan knows the parts that touch this rank's parts within a reach in a
/// domain, or the parts that touch this rank's parts in another floor plan.
struct acquaintance {
  std::array<index_t, max_dimensions> minus{}, plus{}, lower{}, upper{};
  std::array<bool, max_dimensions> periodic{};
  std::uint64_t pair = 0;  ///< 0 if the plan was resolved with itself; else a number that both plans share

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
  /// True if this includes everything that a motion with the widths and domain of `needed` requires.
  bool covers(const acquaintance& needed) const;
};

/// The knowledge from all calls of `resolve` for a plan. `is_said` is false for a partial plan that the user has
/// listed: the library cannot tell which neighbours such a plan knows, and does not check it.
struct plan_knowledge {
  bool is_said = false;
  std::vector<acquaintance> all{};

  /// True if one `resolve` covers `needed`, or if nothing is recorded.
  bool covers(const acquaintance& needed) const;
};

/// The record of a plan on `rank` after a `resolve`. If the plan knew no part of another rank before, the record is
/// complete from now on.
template <class Plan> plan_knowledge knowledge_after(const Plan& plan, int rank, const acquaintance& learned) {
  auto known = plan.knowledge();
  known.is_said = known.is_said || plan.owned_by(rank).size() == plan.owners().size();
  known.all.push_back(learned);
  return known;
}

/// A number that no other pair of plans in this process has.
std::uint64_t next_pair();

/// @throws error(argument) if a partial plan is known not to have been resolved for `needed`
void require_knowledge(const char* where, bool is_complete, const plan_knowledge& known, const acquaintance& needed,
                       int rank);
/// One complete plan of the two is enough, since its parts are known on both sides (an empty plan counts as complete).
/// @throws error(argument) if two partial plans are known not to have been resolved together
void require_pair(const char* where, bool one_is_complete, const plan_knowledge& from, const plan_knowledge& to,
                  const acquaintance& needed, int rank);

}  // namespace wherry::detail

namespace wherry {

/// Two floor plans that `resolve` has resolved together.
template <class Plan> struct resolved_pair {
  Plan from, to;
};

}  // namespace wherry
