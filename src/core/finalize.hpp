// Work that must be done before MPI ends, while it still works.
#pragma once

#include <functional>

namespace wherry {

/// Runs `last` when MPI_Finalize begins, or in `prepare_to_finalize`. The function that was registered last runs first.
/// MPI must be running.
void at_finalize(std::function<void()> last);

/// True if MPI_Finalize runs the functions, and not `prepare_to_finalize`.
bool finalize_has_begun();

}  // namespace wherry
