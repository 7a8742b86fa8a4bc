#include "wherry/collective/typed.hpp"

#include <limits>
#include <span>

#include "wherry/collective/typed_parts.hpp"

namespace wherry::collective::detail {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  check_mpi(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
  return size;
}

int as_int(std::size_t count, const char* argument) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw error(error_kind::argument, "collective",
                wherry::detail::text("'", argument, "' has ", count, " elements, more than an int counts"));
  return static_cast<int>(count);
}

std::size_t offsets_of(const std::vector<int>& counts, std::vector<int>& offsets) {
  std::size_t sum = 0;
  offsets.clear();
  for (const int count : counts) {
    offsets.push_back(static_cast<int>(sum));
    sum += static_cast<std::size_t>(count);
  }
  return sum;
}

std::vector<int> allgather_counts(MPI_Comm comm, int mine) { return allgather(comm, mine); }
std::vector<int> alltoall_counts(MPI_Comm comm, const std::vector<int>& mine) { return alltoall(comm, mine); }

void bcast_sizes(MPI_Comm comm, std::size_t* first, int count, int root) {
  bcast(comm, std::span(first, static_cast<std::size_t>(count)), root);
}
int scatter_count(MPI_Comm comm, const std::vector<int>& counts, int root) {
  return scatter(comm, counts, root).front();
}

void throw_lengths(const char* what, std::size_t in, std::size_t out) {
  throw error(error_kind::argument, what, wherry::detail::text(in, " elements do not fit to ", out));
}

}  // namespace wherry::collective::detail
