#include "window_parts.hpp"

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry {
namespace {

void require_shared(MPI_Win window, int rank, std::string_view where, std::string_view argument) {
  int* flavor = nullptr;
  int found = 0;
  if (window != MPI_WIN_NULL) PMPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, static_cast<void*>(&flavor), &found);
  if (found == 0 || *flavor != MPI_WIN_FLAVOR_SHARED)
    throw error(error_kind::argument, where, detail::text(argument, " is not a window made by MPI_Win_allocate_shared"),
                rank);
}

/// The ranks of the node by their place in the window; MPI_UNDEFINED: not in it.
std::vector<int> ranks_in_window(const communicator& comm, MPI_Win shared) {
  MPI_Group ours = MPI_GROUP_NULL, theirs = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm.private_handle(), &ours), "MPI_Comm_group");
  check_mpi(PMPI_Win_get_group(shared, &theirs), "MPI_Win_get_group");
  const auto& node = comm.node_ranks();
  std::vector<int> there(node.size());
  check_mpi(PMPI_Group_translate_ranks(ours, static_cast<int>(node.size()), node.data(), theirs, there.data()),
            "MPI_Group_translate_ranks");
  PMPI_Group_free(&ours);
  PMPI_Group_free(&theirs);
  return there;
}

std::span<std::byte> part_in_window(MPI_Win shared, int rank) {
  MPI_Aint bytes = 0;
  int unit = 1;
  void* base = nullptr;
  check_mpi(PMPI_Win_shared_query(shared, rank, &bytes, &unit, static_cast<void*>(&base)), "MPI_Win_shared_query");
  return {static_cast<std::byte*>(base), static_cast<std::size_t>(bytes)};
}

}  // namespace

std::vector<std::optional<std::span<std::byte>>> parts_of_window(const communicator& comm, MPI_Win window,
                                                                 std::string_view where, std::string_view argument) {
  require_shared(window, comm.rank(), where, argument);
  std::vector<std::optional<std::span<std::byte>>> parts;
  for (const int rank : ranks_in_window(comm, window)) {
    auto& part = parts.emplace_back();
    if (rank != MPI_UNDEFINED) part = part_in_window(window, rank);
  }
  return parts;
}

}  // namespace wherry
