// Names for memory that the ranks of a node share, with the same meaning on all of them: places in the arena and in
// windows of the user.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/core/communicator.hpp"

namespace wherry {

class node_places {
 public:
  /// Local.
  /// @param windows windows of the user, in the same order on all ranks
  /// @throws error(argument) for a window that is not from MPI_Win_allocate_shared, or in which a rank of the node has
  ///         no part
  node_places(const communicator& comm, std::span<const MPI_Win> windows, std::string_view where);

  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  /// The place of memory of this rank; `nowhere` if the other ranks cannot see it.
  std::uint64_t of(const void* memory) const;
  /// The address here of a place that a rank of the node has named; null for `nowhere`.
  void* at(int node_index, std::uint64_t place) const;
  /// A hash of the sizes of a rank's parts of the windows. All ranks of the node compute the same hash if they mean the
  /// same windows.
  std::uint64_t sizes_of(int node_index) const;
  bool has_windows() const { return !windows_.empty(); }

 private:
  const communicator& comm_;
  std::size_t mine_;                                        // this rank's index in the node
  std::vector<std::vector<std::span<std::byte>>> windows_;  // for each window, the parts of the node's ranks
};

}  // namespace wherry
