#include "arrival.hpp"

#include "wherry/core/error.hpp"

namespace wherry {

functions code_of(const std::optional<reduction>& update) {
  functions code;
  if (update) code.reductions.push_back(*update);
  return code;
}

void check_reverse(const schedule& plan, const functions& code, int rank) {
  if (!code.reductions.empty() && code.combines(0)) return;
  try {
    plan.check_overlaps(rank, code);
  } catch (const error& overlap) {
    throw error(overlap.kind(), overlap.where(),
                detail::text("'reverse' needs an 'update', such as add, that combines the copies of one element: ",
                             overlap.text()),
                rank);
  }
}

}  // namespace wherry
