// The user's windows by MPI_Win_allocate_shared: memory that the ranks of a node see of each other.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// Local. A part, possibly of no bytes, for each of the communicator's ranks of this node, in the order of
/// `node_ranks`; nothing for those who are not in the window.
/// @throws error(argument) that calls it `argument` where it is no such window
std::vector<std::optional<std::span<std::byte>>> parts_of_window(const communicator& comm, MPI_Win window,
                                                                 std::string_view where, std::string_view argument);

}  // namespace wherry
