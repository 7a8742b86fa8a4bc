// The neighbours of a rank in the topology of its communicator: the destinations and the sources of its blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// True if the communicator has a topology. Local, and the same on all ranks.
bool has_topology(MPI_Comm comm);

struct neighbor_counts {
  int sources = 0, destinations = 0;
};
/// The numbers of this rank's neighbours, those that are MPI_PROC_NULL included. Local. `comm` has a topology.
neighbor_counts count_neighbors(MPI_Comm comm);

/// Ranks, or MPI_PROC_NULL, in the order of the blocks.
struct neighbor_ranks {
  std::vector<int> sources, destinations;
};
/// The neighbours of this rank. Local. `comm` has a topology.
neighbor_ranks neighbors_in(MPI_Comm comm);

/// Sends a number to each destination, and returns those of the sources, in the order of MPI's calls of this kind; -1
/// where there is no source. Collective, and it cannot be given up: all ranks must be known to come.
std::vector<std::int64_t> tell_neighbors(kind what, std::vector<std::int64_t> each, std::size_t sources, MPI_Comm comm);

/// The blocks that come from a rank's sources, in calls in which each rank has a block for each destination.
struct neighbors_arrivals {
  std::vector<int> numbers;  ///< for each source, the number of its block that comes here
  std::vector<int> by_rank;  ///< sources sorted by rank, and those of one rank in the order of its blocks
};

class neighborhood {
 public:
  /// Local. `comm` has a topology.
  explicit neighborhood(const communicator& comm);

  /// Ranks, or MPI_PROC_NULL, in the order of the blocks.
  const std::vector<int>& destinations() const { return destinations_.ranks; }
  const std::vector<int>& sources() const { return sources_.ranks; }
  /// The numbers of the neighbours, sorted by rank.
  const std::vector<int>& destinations_by_rank() const { return destinations_.by_rank; }
  const std::vector<int>& sources_by_rank() const { return sources_.by_rank; }
  /// The places of the neighbours among the ranks that share memory with this one; -1: on another node.
  const std::vector<int>& destination_members() const { return destinations_.members; }
  const std::vector<int>& source_members() const { return sources_.members; }

  /// Learns what calls of this kind must know of other ranks. Collective, if it is not known yet.
  void learn(const communicator& comm, kind what);
  /// The largest number of destinations of any rank; after something has been learned.
  int most_destinations() const { return most_destinations_; }
  /// The arrivals in calls of this kind of alltoall, which has been learned.
  const neighbors_arrivals& arrivals(kind what) const { return arrivals_[form_of(what)]; }

 private:
  struct list {
    std::vector<int> ranks, members, by_rank;
  };
  static constexpr std::size_t none = 2;  // allgather: all blocks of a rank are the same
  static std::size_t form_of(kind what);
  static void complete(const communicator& comm, list& of);

  list destinations_, sources_;
  int most_destinations_ = -1;
  std::array<neighbors_arrivals, none> arrivals_;  // by the forms of alltoall
  std::array<bool, none> known_{};
};

}  // namespace wherry::collective
