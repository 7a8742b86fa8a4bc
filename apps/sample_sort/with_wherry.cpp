#include <algorithm>

#include "wherry/wherry.hpp"

#include "sorting.hpp"

namespace sample_sort {

void sort_with_wherry(MPI_Comm comm, std::vector<element>& data) {
  // begin: what a user writes
  namespace collective = wherry::collective;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::sort(data.begin(), data.end());
  const auto samples = collective::allgatherv(comm, samples_of(data, ranks)).all;
  const auto counts = counts_between(data, splitters_of(samples, ranks), ranks);
  data = collective::alltoallv(comm, data, counts).all;
  std::sort(data.begin(), data.end());
  // end
}

}  // namespace sample_sort
