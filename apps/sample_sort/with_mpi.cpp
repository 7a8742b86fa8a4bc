#include <algorithm>
#include <numeric>

#include "sorting.hpp"

namespace sample_sort {

void sort_with_mpi(MPI_Comm comm, std::vector<element>& data) {
  // begin: what a user writes
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const auto places = static_cast<std::size_t>(ranks);
  std::sort(data.begin(), data.end());

  const auto mine = samples_of(data, ranks);
  const int count = static_cast<int>(mine.size());
  std::vector<int> sample_counts(places), sample_offsets(places);
  MPI_Allgather(&count, 1, MPI_INT, sample_counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(sample_counts.begin(), sample_counts.end(), sample_offsets.begin(), 0);
  std::vector<element> samples(static_cast<std::size_t>(sample_offsets.back() + sample_counts.back()));
  MPI_Allgatherv(mine.data(), count, MPI_UINT64_T, samples.data(), sample_counts.data(), sample_offsets.data(),
                 MPI_UINT64_T, comm);

  const auto sent = counts_between(data, splitters_of(std::move(samples), ranks), ranks);
  std::vector<int> sent_offsets(places), received(places), received_offsets(places);
  std::exclusive_scan(sent.begin(), sent.end(), sent_offsets.begin(), 0);
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
  std::exclusive_scan(received.begin(), received.end(), received_offsets.begin(), 0);
  std::vector<element> arrived(static_cast<std::size_t>(received_offsets.back() + received.back()));
  MPI_Alltoallv(data.data(), sent.data(), sent_offsets.data(), MPI_UINT64_T, arrived.data(), received.data(),
                received_offsets.data(), MPI_UINT64_T, comm);
  data = std::move(arrived);
  std::sort(data.begin(), data.end());
  // end
}

}  // namespace sample_sort
