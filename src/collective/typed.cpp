#include "wherry/collective/typed.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "wherry/collective/typed_parts.hpp"

#include "communicator_state.hpp"

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

int as_int(MPI_Comm comm, std::size_t count, const char* argument) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    refuse(comm, "collective",
           wherry::detail::text("'", argument, "' has ", count, " elements, more than an int counts"));
  return static_cast<int>(count);
}

int most_of_int(std::size_t count) {
  return static_cast<int>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
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

counts_fault fault_of(const std::vector<int>& counts, MPI_Comm comm, std::size_t elements) {
  if (counts.size() != static_cast<std::size_t>(size_of(comm))) return counts_fault::other_number;
  std::size_t sum = 0;
  for (const int count : counts) {
    if (count < 0) return counts_fault::negative;
    sum += static_cast<std::size_t>(count);
  }
  if (sum != elements) return counts_fault::other_sum;
  return sum > static_cast<std::size_t>(std::numeric_limits<int>::max()) ? counts_fault::beyond_int
                                                                         : counts_fault::none;
}

void throw_counts(MPI_Comm comm, const char* what, counts_fault fault, int whose) {
  const auto because = [&]() -> std::string {
    switch (fault) {
      case counts_fault::other_number:
        return wherry::detail::text("do not fit to ", size_of(comm), " ranks");
      case counts_fault::negative:
        return "hold a negative number";
      case counts_fault::beyond_int:
        return "are more in all than an int counts";
      default:
        return "do not fit to the elements that there are";
    }
  }();
  refuse(comm, what, wherry::detail::text("the counts of rank ", whose, ' ', because));
}

void bcast_sizes(MPI_Comm comm, std::size_t* first, int count, int root) {
  bcast(comm, std::span(first, static_cast<std::size_t>(count)), root);
}
int scatter_count(MPI_Comm comm, const std::vector<int>& counts, int root) {
  return scatter(comm, counts, root).front();
}

void throw_lengths(MPI_Comm comm, const char* what, std::size_t in, std::size_t out) {
  refuse(comm, what, wherry::detail::text(in, " elements do not fit to ", out));
}

void throw_no_memory(MPI_Comm comm, const char* what, std::size_t elements, std::size_t bytes) {
  refuse(comm, what, wherry::detail::text("there is no memory for ", elements, " elements of ", bytes, " bytes"),
         error_kind::resource);
}

void refuse(MPI_Comm comm, const char* what, const std::string& why, error_kind kind) {
  auto& on = communicator_state::of(comm);
  const error mine(kind, what, why, on.comm.rank());
  if (on.checked) wherry::detail::agree_or_throw(on.comm, what, &mine);
  on.sequence.refuse(mine);
  throw mine;
}

}  // namespace wherry::collective::detail
