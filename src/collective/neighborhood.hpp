// Who a rank's neighbours are in its communicator's topology: to whom its blocks go, and whose come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// Whether MPI knows neighbours in this communicator. Local, the same on all ranks.
bool has_topology(MPI_Comm comm);

struct neighbor_counts {
  int sources = 0, destinations = 0;
};
/// Of this rank, with those that are MPI_PROC_NULL. Local. `comm` has a topology.
neighbor_counts count_neighbors(MPI_Comm comm);

/// Ranks, or MPI_PROC_NULL, in the order of the blocks.
struct neighbor_ranks {
  std::vector<int> sources, destinations;
};
/// Local. `comm` has a topology.
neighbor_ranks neighbors_in(MPI_Comm comm);

/// A figure for each destination; what the sources say, in the order in which MPI's calls of this kind give it; -1
/// where nobody is. Collective, and not to be given up: all must be known to come.
std::vector<std::int64_t> tell_neighbors(kind what, std::vector<std::int64_t> each, std::size_t sources, MPI_Comm comm);

/// What comes from a rank's sources, where each of theirs has a block of its own.
struct neighbors_arrivals {
  std::vector<int> numbers;  ///< of each source, which of that rank's blocks comes here
  std::vector<int> by_rank;  ///< sources by rank, of one rank in the order of its blocks
};

class neighborhood {
 public:
  /// Local. `comm` has a topology.
  explicit neighborhood(const communicator& comm);

  /// Ranks, or MPI_PROC_NULL, in the order of the blocks.
  const std::vector<int>& destinations() const { return destinations_.ranks; }
  const std::vector<int>& sources() const { return sources_.ranks; }
  /// Their numbers, by rank.
  const std::vector<int>& destinations_by_rank() const { return destinations_.by_rank; }
  const std::vector<int>& sources_by_rank() const { return sources_.by_rank; }
  /// Their places among the ranks that share memory with this one; -1: elsewhere.
  const std::vector<int>& destination_members() const { return destinations_.members; }
  const std::vector<int>& source_members() const { return sources_.members; }

  /// Collective, where it is not known yet: what calls of this kind must know of others.
  void learn(const communicator& comm, kind what);
  /// The most destinations that a rank has, once it has learned something.
  int most_destinations() const { return most_destinations_; }
  /// In calls of this kind of alltoall, which it has learned.
  const neighbors_arrivals& arrivals(kind what) const { return arrivals_[form_of(what)]; }

 private:
  struct list {
    std::vector<int> ranks, members, by_rank;
  };
  static constexpr std::size_t none = 2;  // allgather: whichever block of a rank comes, it is the same
  static std::size_t form_of(kind what);
  static void complete(const communicator& comm, list& of);

  list destinations_, sources_;
  int most_destinations_ = -1;
  std::array<neighbors_arrivals, none> arrivals_;  // by the forms of alltoall
  std::array<bool, none> known_{};
};

}  // namespace wherry::collective
