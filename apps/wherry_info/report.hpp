/// @file
/// The rows of the report, and the functions that find them. Rank 0 prints them all.
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

/// The MPI library and its abilities. Local.
rows mpi_facts();
/// Uses node-shared memory and reports whether it works, and its amount. Collective.
rows memory_facts(const wherry::communicator& comm);
/// The ranks of each node. Collective; the result is the same on all ranks.
rows node_map(const wherry::communicator& comm);

}  // namespace info
