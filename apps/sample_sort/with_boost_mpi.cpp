#include "sorting.hpp"

#ifdef WITH_BOOST_MPI
#include <boost/mpi.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#include <boost/serialization/vector.hpp>

#include <algorithm>

namespace sample_sort {

const bool has_boost_mpi = true;

void sort_with_boost_mpi(MPI_Comm comm, std::vector<element>& data) {
  // begin: what a user writes
  const boost::mpi::communicator world(comm, boost::mpi::comm_attach);
  std::sort(data.begin(), data.end());
  const auto mine = samples_of(data, world.size());
  std::vector<int> sample_counts;
  boost::mpi::all_gather(world, static_cast<int>(mine.size()), sample_counts);
  std::vector<element> samples;
  boost::mpi::all_gatherv(world, mine, samples, sample_counts);
  const auto counts = counts_between(data, splitters_of(std::move(samples), world.size()), world.size());
  std::vector<std::vector<element>> leaving, arrived;
  auto next = data.cbegin();
  for (const int count : counts) {
    leaving.emplace_back(next, next + count);
    next += count;
  }
  boost::mpi::all_to_all(world, leaving, arrived);
  data.clear();
  for (const auto& part : arrived) data.insert(data.end(), part.begin(), part.end());
  std::sort(data.begin(), data.end());
  // end
}

}  // namespace sample_sort

#else

namespace sample_sort {

const bool has_boost_mpi = false;

void sort_with_boost_mpi(MPI_Comm, std::vector<element>&) {}

}  // namespace sample_sort

#endif
