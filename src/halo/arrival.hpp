// The `update` that halo and index exchanges apply to arriving elements, in either direction.
#pragma once

#include <optional>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The functions of a plan with this update, and the update's index among them.
functions code_of(const std::optional<reduction>& update);
inline int operation_of(const std::optional<reduction>& update) { return update ? 0 : detail::store; }

/// @throws error(argument) if a reversed plan stores several copies in one place, because it is undefined which one
///         stays.
void check_reverse(const schedule& plan, const functions& code, int rank);

}  // namespace wherry
