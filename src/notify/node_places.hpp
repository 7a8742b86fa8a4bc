// Memory of a rank that the others of its node read in place, by names that mean the same to them: pieces of the arena
// and of the user's windows.
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
  /// Local. @param windows the user's, in the same order on all ranks
  /// @throws error(argument) where one is not by MPI_Win_allocate_shared, or a rank of the node has no part of it
  node_places(const communicator& comm, std::span<const MPI_Win> windows, std::string_view where);

  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  /// Of memory of this rank; `nowhere`: the others do not see it.
  std::uint64_t of(const void* memory) const;
  /// What a rank of the node calls so; null: nowhere.
  void* at(int node_index, std::uint64_t place) const;
  /// Of a rank's parts of the windows: all ranks of the node find the same if they mean the same windows.
  std::uint64_t sizes_of(int node_index) const;
  bool has_windows() const { return !windows_.empty(); }

 private:
  const communicator& comm_;
  std::size_t mine_;                                        // this rank's place in the node
  std::vector<std::vector<std::span<std::byte>>> windows_;  // of each a part for each rank of the node
};

}  // namespace wherry
