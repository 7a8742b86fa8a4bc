// Windows of the user's that MPI_Win_allocate_shared made: memory of each rank that the other ranks of the node see.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

/// Local. A part, possibly of no bytes, for each rank of `node_ranks`, in that order; nothing for ranks that are not in
/// the window.
/// @throws error(argument) that names `argument`, if it is no such window
std::vector<std::optional<std::span<std::byte>>> parts_of_window(const communicator& comm, MPI_Win window,
                                                                 std::string_view where, std::string_view argument);

}  // namespace wherry
