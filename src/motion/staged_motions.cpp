#include "staged_motions.hpp"

#include <algorithm>
#include <utility>

namespace wherry {

void add_staged(std::span<const staged_motion> list, plans::schedule_builder& into) {
  bool first = true;
  for (auto rest = list; !rest.empty();) {
    const auto begins_next = [&](const staged_motion& m) { return m.stage != rest.front().stage; };
    const auto at_once =
        rest.first(static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), begins_next) - rest.begin()));
    std::size_t steps = 0;
    for (const auto& m : at_once) steps = std::max(steps, m.motion->stages);
    for (std::size_t step = 0; step < steps; ++step) {
      if (!std::exchange(first, false)) into.next_stage();
      for (const auto& m : at_once) {
        if (step >= m.motion->stages) continue;
        into.arrives_by(m.operation);
        m.motion->inspect(step, m.where);
      }
    }
    rest = rest.subspan(at_once.size());
  }
}

}  // namespace wherry
