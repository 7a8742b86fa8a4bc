// What must be done before MPI ends, while it still works.
#pragma once

#include <functional>

namespace wherry {

/// Runs `last` when MPI_Finalize begins; what was registered last runs first. MPI must be running.
void at_finalize(std::function<void()> last);

}  // namespace wherry
