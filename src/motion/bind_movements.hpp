// Binds the movements of a mover, whatever they move.
#pragma once

#include <span>
#include <vector>

#include "wherry/motion/mover.hpp"

namespace wherry {

/// Lists the source and the destination of each movement, one after the other.
std::vector<detail::bound_array> list_arrays(std::span<const detail::mover_stage> stages);
/// The table of the arrays' pieces of memory, each array once.
std::vector<void*> table_of(std::span<const detail::mover_stage> stages, std::span<const detail::bound_array> arrays);

/// Binds all movements as one exchange. Collective over the arrays' communicator.
/// @param arrays, table the results of `list_arrays` and `table_of`
exchange bind_movements(std::span<const detail::mover_stage> stages, std::span<const detail::bound_array> arrays,
                        std::span<void* const> table, const mover_options& how);

}  // namespace wherry
