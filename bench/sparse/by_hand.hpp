// Sparse exchanges as programs write them with MPI. Each of them sorts its elements by destination first, and returns
// the elements that have arrived, ordered by source.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

namespace bench::sparse {

using values = std::vector<double>;

/// The elements ordered by destination.
struct sorted {
  std::vector<int> counts, offsets;
  values all;
};
sorted sort_by_destination(std::span<const int> to, const values& mine, int ranks);

/// MPI_Alltoall of the counts, then a message for each pair that has elements.
values by_counts(MPI_Comm comm, std::span<const int> to, const values& mine);
/// MPI_Alltoall of the counts, then MPI_Alltoallv.
values by_alltoallv(MPI_Comm comm, std::span<const int> to, const values& mine);
/// Synchronous sends, probes, and a non-blocking barrier (Hoefler, Siebert, Lumsdaine 2010).
values by_consensus(MPI_Comm comm, std::span<const int> to, const values& mine);
/// Each sender adds one to a counter in the receiver's window; after a barrier the receivers know how many messages
/// come (Hoefler, Siebert, Lumsdaine 2010, "remote summation").
values by_counters(MPI_Comm comm, std::span<const int> to, const values& mine);

}  // namespace bench::sparse
