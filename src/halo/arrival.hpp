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

/// The way of a value in halo and index exchanges.
struct value_way {
  bool reverse = false;               ///< copies travel to the value that they are copies of
  bool gives_back = false;            ///< the result then travels to all copies
  std::optional<reduction> update{};  ///< combines arriving elements with those at the destination
};
template <class Options> value_way way_of(const Options& options) {
  if (options.combine_copies) return {true, true, options.combine_copies};
  return {options.reverse, false, options.update};
}

/// Checks `combine_copies` of halo or index options.
/// @throws error(argument) if it stands beside `reverse`, `update`, a snapshot or parts
template <class Options> void check_way(const Options& options, std::string_view pattern, int rank) {
  if (!options.combine_copies) return;
  const auto fail = [&](std::string_view other, std::string_view why) {
    throw error(error_kind::argument, pattern, detail::text("'combine_copies' cannot be used with ", other, ", ", why),
                rank);
  };
  if (options.reverse) fail("'reverse'", "because it sends both ways");
  if (options.update) fail("'update'", "because it is itself the operation");
  if (options.carry.snapshot) fail("'snapshot'", "because it sends results that do not exist at start");
  if (!options.parts.empty()) fail("'parts'", "because it sends results that do not exist at start");
}

/// @throws error(argument) if a reversed plan stores several copies in one place, because it is undefined which one
///         stays.
void check_reverse(const plans::schedule& plan, const plans::functions& code, int rank);

}  // namespace wherry
