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
           wherry::detail::text("'", argument, "' has ", count, " elements, expected at most 2^31 - 1"));
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

namespace {

std::string words_of(MPI_Comm comm, counts_fault fault, int whose) {
  const auto because = [&]() -> std::string {
    switch (fault) {
      case counts_fault::other_number:
        return wherry::detail::text("are not ", size_of(comm), " numbers, one for each rank");
      case counts_fault::negative:
        return "include a negative number";
      case counts_fault::beyond_int:
        return "add up to more than 2^31 - 1";
      default:
        return "do not add up to the number of elements given";
    }
  }();
  return wherry::detail::text("the counts of rank ", whose, ' ', because);
}

}  // namespace

void throw_counts(MPI_Comm comm, const char* what, counts_fault fault, int whose) {
  refuse(comm, what, words_of(comm, fault, whose));
}

std::vector<int> alltoall_counts(MPI_Comm comm, const std::vector<int>& mine, std::size_t elements) {
  constexpr auto what = "alltoallv";
  const auto fault = fault_of(mine, comm, elements);
  const int rank = rank_in(comm);
  // Without this, the other ranks would be asked to compare their exchange of counts with this rank's alltoallv.
  if (const auto& on = communicator_state::of(comm); on.checked)
    wherry::detail::collectively(on.comm, what, [&] {
      if (fault != counts_fault::none) throw error(error_kind::argument, what, words_of(comm, fault, rank), rank);
    });
  else if (fault != counts_fault::none)
    throw_counts(comm, what, fault, rank);
  return alltoall(comm, mine);
}

void bcast_sizes(MPI_Comm comm, std::size_t* first, int count, int root) {
  bcast(comm, std::span(first, static_cast<std::size_t>(count)), root);
}
int scatter_count(MPI_Comm comm, const std::vector<int>& counts, int root) {
  return scatter(comm, counts, root).front();
}

void throw_lengths(MPI_Comm comm, const char* what, std::size_t in, std::size_t out, std::size_t wanted) {
  refuse(comm, what,
         wherry::detail::text("the input range has ", in, " elements and the output range has ", out, ", expected ",
                              wanted));
}

void throw_uneven(MPI_Comm comm, const char* what, const char* argument, std::size_t elements) {
  refuse(comm, what,
         wherry::detail::text("'", argument, "' has ", elements, " elements, which cannot be shared out evenly among ",
                              size_of(comm), " ranks"));
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
