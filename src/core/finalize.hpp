// What must be done before MPI ends, while it still works.
#pragma once

#include <functional>

namespace wherry {

/// Runs `last` when MPI_Finalize begins, or in `prepare_to_finalize`; what was registered last runs first. MPI must be
/// running.
void at_finalize(std::function<void()> last);

/// Whether it is MPI_Finalize that runs them.
bool finalize_has_begun();

}  // namespace wherry
