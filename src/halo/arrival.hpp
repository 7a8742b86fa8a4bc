// The `update` that halo and index exchanges apply to arriving elements, in either direction.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// @throws error(argument) if a reversed plan stores several copies in one place, because it is undefined which one
///         stays.
void check_reverse(const plans::schedule& plan, const plans::functions& code, int rank);

}  // namespace wherry
