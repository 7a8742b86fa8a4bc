// What all movers do to bind, whatever moves.
#pragma once

#include <span>
#include <vector>

#include "wherry/motion/mover.hpp"

namespace wherry {

/// The source and the destination of each movement, one after the other.
std::vector<detail::bound_array> list_arrays(std::span<const mover_stage> stages);
/// Their pieces of memory; each array's once.
std::vector<void*> table_of(std::span<const mover_stage> stages, std::span<const detail::bound_array> arrays);

/// Collective. `arrays` and `table` are those of the list.
exchange bind_movements(std::span<const mover_stage> stages, std::span<const detail::bound_array> arrays,
                        std::span<void* const> table, const mover_options& how);

}  // namespace wherry
