#include "arrival.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry {

arrival arrival_of(const std::optional<reduction>& update, const std::vector<arriving_field>& fields,
                   std::string_view pattern, int rank) {
  arrival made;
  if (!update) return made;
  const auto fail = [&](const arriving_field& field, std::string_view problem) {
    throw error(error_kind::argument, pattern, detail::text(field.name, ": ", problem), rank);
  };
  auto& reductions = made.code.reductions;
  std::vector<const plans::typed_reduction*> found;  // those of the fields so far, each once
  for (const auto& field : fields) {
    const auto* const how = update->on(field.type);
    if (how == nullptr)
      fail(field, detail::text("the update '", update->name(), "' has no meaning for elements that are ",
                               to_string(field.type), "; make_reduction makes one of a function of yours"));
    if (field.element % static_cast<index_t>(how->element) != 0)
      fail(field, detail::text("the update '", how->name, "' works on elements of ", how->element,
                               " bytes, but the field has elements of ", field.element));
    const auto place = std::find(found.begin(), found.end(), how);
    made.operations.of_field.push_back(static_cast<int>(place - found.begin()));
    if (place != found.end()) continue;
    found.push_back(how);
    reductions.push_back(*how);
  }
  if (reductions.size() > 1) {
    made.operations.mixture = static_cast<int>(reductions.size());
    reductions.push_back(plans::operations_by_block(reductions));
  }
  return made;
}

void check_reverse(const plans::schedule& plan, const plans::functions& code, int rank) {
  if (!code.reductions.empty() && code.combines(0)) return;
  try {
    plan.check_overlaps(rank, code);
  } catch (const error& overlap) {
    throw error(
        overlap.kind(), overlap.where(),
        detail::text("'reverse' needs an 'update', such as std::plus<>{}, that combines the copies of one element: ",
                     overlap.text()),
        rank);
  }
}

}  // namespace wherry
