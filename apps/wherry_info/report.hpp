/// @file
/// Rows of the report, and who finds them. All of it is printed by rank 0.
#pragma once

#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/transport/calibration.hpp"
#include "wherry/transport/transport.hpp"

namespace info {

/// One line: a name on the left, a finding on the right.
struct row {
  std::string name, finding;
};
using rows = std::vector<row>;

/// The MPI library and what it can do. Local.
rows mpi_facts();
/// Whether node-shared memory works, shown by using it, and how much there is. Collective.
rows memory_facts(const wherry::communicator& comm);
/// Which ranks share which node. Collective; the same on all ranks.
rows node_map(const wherry::communicator& comm);

}  // namespace info
