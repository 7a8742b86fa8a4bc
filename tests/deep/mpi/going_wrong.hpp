// What the tests of copies that go wrong share: something to copy, waits in vain, and whether all goes on afterwards.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "wherry/deep/in_flight.hpp"

#include "harness/patient.hpp"
#include "support/case_runner.hpp"
#include "support/content.hpp"

namespace wherry_test {

/// Waits in vain; without a limit, a second wait would never end. @return whether it has been in vain
inline bool wait_in_vain(const std::function<void()>& wait, const char* seconds = "0.1") {
  const setting timeout("timeout", seconds, "0");
  try {
    wait();
    return false;
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::timeout);
    return true;
  }
}

inline void expect_timeout(int missing, const std::function<void()>& act) {
  const setting timeout("timeout", "0.2", "0");
  try {
    act();
    FAIL("no timeout");
  } catch (const wherry::error& problem) {
    CHECK(problem.kind() == wherry::error_kind::timeout);
    CHECK_EQUAL(problem.peers(), std::vector<int>{missing});
  }
}

// Halts once while it is written; much has left by then, and much has not.
inline std::function<void()> halt;

struct halting {
  numbers data;
  bool halts = false;
  template <class Message> void describe(Message& m) {
    m(data, halts);
    if constexpr (!Message::reads)
      if (halts && halt) std::exchange(halt, nullptr)();
  }
};

inline std::vector<halting> halting_list() {
  std::vector<halting> list(12);
  for (std::size_t i = 0; i < list.size(); ++i) list[i].data = content(100'000, static_cast<int>(i));
  list[6].halts = true;
  return list;
}

inline bool same(const std::vector<halting>& list) {
  const auto expected = halting_list();
  return list.size() == expected.size() && std::equal(list.begin(), list.end(), expected.begin(),
                                                      [](const auto& a, const auto& b) { return a.data == b.data; });
}

/// One rank waits for another without Wherry.
inline void tell(const context& test, int rank) { MPI_Send(nullptr, 0, MPI_BYTE, rank, 0, test.comm); }
inline void hear(const context& test, int rank) {
  MPI_Request word = MPI_REQUEST_NULL;
  MPI_Irecv(nullptr, 0, MPI_BYTE, rank, 0, test.comm, &word);
  patient_wait(word);
}

/// Streams still travel between all ranks.
inline void check_that_all_goes_on(const wherry::communicator& comm) {
  for (int root = 0; root < std::min(comm.size(), 8); ++root) {
    numbers word;
    if (comm.rank() == root) word = content(100'000, root);
    wherry::deep::bcast(comm, word, root);
    CHECK(word == content(100'000, root));
  }
  const int to = (comm.rank() + 1) % comm.size(), from = (comm.rank() + comm.size() - 1) % comm.size();
  const auto mine = content(100'000, comm.rank());
  numbers theirs;
  auto arriving = wherry::deep::start_receive(comm, theirs, from);
  wherry::deep::send(comm, mine, to);
  arriving.wait();
  CHECK(theirs == content(100'000, from));
}

}  // namespace wherry_test
