// Coarrays are of all processes: who gets them, and what the others are told.
#include <mpi.h>

#include <string>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::collective::call;

namespace {

std::string obstacle(MPI_Comm comm) {
  return std::string(wherry::collective::obstacle(call::barrier(comm), "coarray"));
}

/// Who did it, and what is wrong with the result.
std::string sum_by_coarray(MPI_Comm comm, int length) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<int> mine(static_cast<std::size_t>(length)), sum(mine.size());
  for (int i = 0; i < length; ++i) mine[static_cast<std::size_t>(i)] = i + rank;
  const auto did = std::string(
      wherry::collective::run(call::allreduce(mine.data(), sum.data(), length, MPI_INT, MPI_SUM, comm), "coarray"));
  for (int i = 0; i < length; ++i)
    if (sum[static_cast<std::size_t>(i)] != i * size + size * (size - 1) / 2) return "wrong at " + std::to_string(i);
  return did;
}

/// Skips where there are none, which no call may hide.
void wants_coarrays(context& test) {
  const auto did = sum_by_coarray(test.comm, 1);
  const auto why_not = obstacle(test.comm);
  CHECK_EQUAL(did, why_not.empty() ? "coarray" : "mpi");
  if (!why_not.empty()) test.skip(why_not);
}

}  // namespace

WHERRY_TEST(where_there_are_no_coarrays_it_is_said, ranks(1, 2, 3)) {
  const auto what = call::barrier(test.comm);
  const auto did = wherry::collective::run(what, "coarray");
  CHECK_EQUAL(did, obstacle(test.comm).empty() ? "coarray" : "mpi");
#if defined(WHERRY_TEST_WITH_COARRAYS)
  if (test.size > 1) CHECK_EQUAL(obstacle(test.comm), "");
#else
  CHECK(obstacle(test.comm).find("built without coarrays") != std::string::npos);
#endif
  wherry::collective::choose(test.comm, wherry::collective::kind::barrier, "coarray");
  const auto said = wherry::collective::explain(what);
  CHECK_EQUAL(said, obstacle(test.comm).empty()
                        ? "coarray: chosen by the program"
                        : "mpi: coarray, chosen by the program, cannot: " + obstacle(test.comm));
}

WHERRY_TEST(communicators_of_some_processes_are_told_that_coarrays_are_of_all, ranks(2, 3, 4)) {
  wants_coarrays(test);
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank == 0 ? 0 : 1, 0, &some);
  CHECK(obstacle(some).find("belongs to all processes") != std::string::npos);
  CHECK_EQUAL(sum_by_coarray(some, 10), "mpi");
  MPI_Comm_free(&some);
}

WHERRY_TEST(communicators_share_the_coarray_and_leave_it_to_others, ranks(2, 3, 4, 8)) {
  wants_coarrays(test);
  for (int round = 0; round < 5; ++round) {
    MPI_Comm turned = MPI_COMM_NULL, again = MPI_COMM_NULL;
    MPI_Comm_split(test.comm, 0, round % 2 == 0 ? -test.rank : (test.rank + round) % test.size, &turned);
    MPI_Comm_dup(turned, &again);
    for (const int length : {1, 30'000, 3})
      for (const MPI_Comm comm : {test.comm, turned, again}) CHECK_EQUAL(sum_by_coarray(comm, length), "coarray");
    MPI_Comm_free(&turned);
    CHECK_EQUAL(sum_by_coarray(again, 100), "coarray");
    MPI_Comm_free(&again);
  }
  // More than there is room for: those who get none say so.
  std::vector<MPI_Comm> many(6, MPI_COMM_NULL);
  int without = 0;
  for (auto& comm : many) {
    MPI_Comm_dup(test.comm, &comm);
    const auto did = sum_by_coarray(comm, 5);
    CHECK_EQUAL(did, obstacle(comm).empty() ? "coarray" : "mpi");
    without += did == "mpi";
  }
  CHECK(without > 0);
  CHECK(obstacle(many.back()).find("other communicators") != std::string::npos);
  for (auto& comm : many) MPI_Comm_free(&comm);
  CHECK_EQUAL(sum_by_coarray(test.comm, 5), "coarray");
}
