// What becomes of what arrives in an exchange of halos or indices: an `update`, on the way there or in `reverse`.
#pragma once

#include <optional>

#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The code of a plan that has this update or none, and its place there.
functions code_of(const std::optional<reduction>& update);
inline int operation_of(const std::optional<reduction>& update) { return update ? 0 : detail::store; }

/// @throws error(argument) where a reversed plan stores several copies in one place, so that nobody knows which stays.
void check_reverse(const schedule& plan, const functions& code, int rank);

}  // namespace wherry
