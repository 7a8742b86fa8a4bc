// The `update` that halo and index exchanges apply to arriving elements, in either direction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/geometry/point.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// A plan's functions, and the operation of each field among them.
struct arrival {
  plans::functions code;
  plans::field_operations operations;
};

/// The elements of a field, and its name in errors.
struct arriving_field {
  std::string name;
  plans::element_type type;
  index_t element;  ///< bytes
};

/// Finds the operation of this update on each field's elements. Fields of one type share one.
/// @throws error(argument) if it has no meaning for a field's elements, or if these are no multiple of its own
arrival arrival_of(const std::optional<reduction>& update, const std::vector<arriving_field>& fields,
                   std::string_view pattern, int rank);

/// Checks `and_back` of halo or index options.
/// @throws error(argument) if it stands without `reverse` and `update`, or with a snapshot or parts
template <class Options> void check_way(const Options& options, std::string_view pattern, int rank) {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, pattern, what, rank); };
  if (!options.and_back) return;
  if (!options.reverse || !options.update)
    fail("'and_back' needs both 'reverse' and 'update', since it sends their result back to all copies of a value");
  if (options.carry.snapshot)
    fail("'and_back' cannot be used with 'snapshot', because it sends results that do not exist at start");
  if (!options.parts.empty())
    fail("'and_back' cannot be used with 'parts', because it sends results that do not exist at start");
}

/// @throws error(argument) if a reversed plan stores several copies in one place, because it is undefined which one
///         stays.
void check_reverse(const plans::schedule& plan, const plans::functions& code, int rank);

}  // namespace wherry
