// MPIs know a new communicator by the number of one that was freed: what nobody has received of that one must not be
// taken for a message of the new one.
#include <functional>
#include <string>
#include <vector>

#include "wherry/deep/collect.hpp"

#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

// On one communicator after the other, each freed: copies that must be right, then `leave_behind`.
void repeat(const context& test, const std::function<void(const wherry::communicator&)>& leave_behind) {
  for (const char* size : {"0", "1"})
    for (int round = 0; round < 3; ++round) {
      test.note("nodes of " + std::string(size) + ", round " + std::to_string(round));
      MPI_Comm users = MPI_COMM_NULL;
      MPI_Comm_dup(test.comm, &users);
      {
        const setting node_size("node_size", size, "0");
        const wherry::communicator comm(users);
        for (int call = 0; call < 12; ++call) {
          const int what = 100 * round + call;
          std::vector<numbers> all, parts(static_cast<std::size_t>(test.size), numbers(10, what));
          numbers part, word(10, test.rank == 0 ? what : -1);
          if (call % 3 == 0) deep::gather(comm, numbers(10, what), all, 0);
          if (call % 3 == 1) deep::scatter(comm, parts, part, 0);
          if (call % 3 == 2) deep::bcast(comm, word, 0);
          if (call % 3 == 0 && test.rank == 0) CHECK(all == parts);
          if (call % 3 == 1) CHECK(part == parts[0]);
          if (call % 3 == 2) CHECK(word == parts[0]);
        }
        leave_behind(comm);
        patient_barrier(test.comm);
      }
      MPI_Comm_free(&users);
    }
}

}  // namespace

WHERRY_TEST(a_gather_that_its_root_has_given_up_stays_in_its_communicator,
            ranks(2, 3).not_simulated("a rank is late")) {
  repeat(test, [&](const wherry::communicator& comm) {
    std::vector<numbers> all;
    if (test.rank == 0) {
      const setting timeout("timeout", "0.1", "0");
      CHECK_THROWS_WITH(deep::gather(comm, numbers(10, -1), all, 0), "not arrived: rank 1");
    }
    patient_barrier(test.comm);
    if (test.rank != 0) deep::gather(comm, numbers(10, -1), all, 0);
  });
}

WHERRY_TEST(a_scatter_with_two_roots_stays_in_its_communicator, ranks(2).not_simulated("a stray message is lost")) {
  repeat(test, [&](const wherry::communicator& comm) {
    std::vector<numbers> parts(2, numbers(10, -1));
    numbers part;
    try {
      deep::scatter(comm, parts, part, test.rank);
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == wherry::error_kind::mismatch);
    }
  });
}

WHERRY_TEST(a_broadcast_with_two_roots_stays_in_its_communicator,
            ranks(2, 3).not_simulated("a stray message is lost")) {
  repeat(test, [&](const wherry::communicator& comm) {
    numbers word(10, -1);
    try {
      if (test.rank < 2) deep::bcast(comm, word, test.rank, {.buffered = true});
      if (test.rank == 2) deep::bcast(comm, word, 0, {.buffered = true});
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == wherry::error_kind::mismatch);
    }
  });
}
