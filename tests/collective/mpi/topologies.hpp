// Communicators with topologies of all kinds, of which every rank knows the neighbours of all.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "wherry/collective/call.hpp"

#include "oracle.hpp"
#include "support/random.hpp"

namespace collective_oracle {

/// What comes to a rank: from whom, and which of its blocks. Rank -1: nobody is there.
struct arrival {
  int source, number;
};

struct topology {
  topology() = default;
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;
  ~topology();

  MPI_Comm comm = MPI_COMM_NULL;
  std::string name;
  std::vector<std::vector<int>> destinations;  ///< of each rank; -1: nobody
  std::vector<std::vector<arrival>> arrivals;  ///< at each rank
  /// Two ranks are neighbours in two ways, and MPI does not say which block goes which way: it is asked.
  bool ambiguous = false;
  bool alltoall_is_ambiguous = false;  ///< the plain form alone
  /// MPICH 4.0's MPI_Neighbor_alltoallw loses blocks in directed graphs: already in 0 -> 1.
  bool breaks_mpich(kind what) const;
};

/// Collective. @param random in the same state on all ranks
std::unique_ptr<topology> random_topology(wherry_test::random_numbers& random, MPI_Comm comm);

/// As `random_trial`, of a neighbourhood collective. Collective where the topology is ambiguous.
std::unique_ptr<trial> random_trial_of_neighbors(wherry_test::random_numbers& random, kind what, const topology& where,
                                                 int most, int version = 0);

}  // namespace collective_oracle
