// Every collective by every implementation, with all kinds of arguments, against the obvious answer.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "abilities.hpp"
#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;
using collective_oracle::are_hundreds;
using collective_oracle::first_of_neighbours;
using collective_oracle::random_trial;
using collective_oracle::same_among_few;
using wherry::collective::kind;

namespace {

/// WHERRY_TEST_CALLS asks for more, as docs/contribute.md says.
int calls_wanted(int usual) {
  const char* const wanted = std::getenv("WHERRY_TEST_CALLS");
  return wanted == nullptr ? usual : std::max(usual, std::atoi(wanted));
}

/// SimGrid 3.32's own collectives spoil buffers in place and of derived types: what an implementation cannot, nobody
/// does there.
bool would_be_spoiled(const wherry::collective::call& what, std::string_view name) {
  return wherry::detail::ranks_share_a_process && !wherry::collective::obstacle(what, name).empty();
}

#if defined(WHERRY_TEST_WITH_COARRAYS)
constexpr bool built_with_coarrays = true;
#else
constexpr bool built_with_coarrays = false;
#endif

/// By the tests' own list. The simulator's MPI lacks some of what it names.
bool is_to_be_tried(std::string_view name, const wherry::collective::call& what, int size) {
  if (wherry::detail::ranks_share_a_process) return wherry::collective::obstacle(what, name).empty();
  return collective_oracle::must_do(name, what.kind, {.size = size, .has_coarrays = built_with_coarrays && size > 1});
}

/// Calls `visit(implementation, kind)` for all that can, of this process's share.
template <class Visit> void for_each_that_can(context& test, Visit&& visit) {
  random_numbers random(test.seed);
  int cases = 0;
  std::vector<std::unique_ptr<collective_oracle::trial>> of_each_kind;
  for (int k = 0; k < first_of_neighbours; ++k)
    of_each_kind.push_back(random_trial(random, static_cast<kind>(k), test.comm, 1));
  for (const auto& row : wherry::collective::implementations_there_are()) {
    if (row.name == std::string_view("mpi") || row.name == std::string_view("nonblocking"))
      if (wherry::detail::ranks_share_a_process) continue;
    for (const auto& one : of_each_kind)
      if (is_to_be_tried(row.name, one->what, test.size) && test.has(cases++)) visit(row.name, one->what.kind);
  }
}

}  // namespace

WHERRY_TEST(every_collective_by_every_implementation_gives_the_obvious_answer, ranks(1, 2, 3, 4, 8).simulated_in(16)) {
  for_each_that_can(test, [&](std::string_view name, kind what) {
    random_numbers random(hash(test.seed, std::string(name).size(), static_cast<int>(what)));
    test.note(std::string(name) + " " + std::string(name_of(what)));
    for (int round = 0; round < (are_hundreds(test) ? 1 : 16); ++round) {
      const int most = are_hundreds(test) ? 7 : random.one_of({1, 2, 7, 40, 700});
      const auto one = random_trial(random, what, test.comm, most);
      if (would_be_spoiled(one->what, name)) continue;
      const auto did = wherry::collective::run(one->what, name);
      const bool can = wherry::collective::obstacle(one->what, name).empty();  // not for every operation
      CHECK_EQUAL(did, can ? name : std::string_view("mpi"));
      const auto wrong = one->verdict();
      if (fault(!wrong.empty())) CHECK_EQUAL(std::string(name) + ": " + wrong, std::string());
    }
  });
}

WHERRY_TEST(nodes_of_any_size_and_order_give_the_same_answer, ranks(2, 3, 4, 8).not_simulated(same_among_few)) {
  for (const int node_size : {1, 2, 3})
    for (const bool turned : {false, true}) {
      MPI_Comm comm = MPI_COMM_NULL;
      wherry::configure("node_size", std::to_string(node_size));
      // Turned: ranks of a node do not follow one another.
      MPI_Comm_split(test.comm, 0, turned ? (test.rank % 2) * test.size + test.rank : test.rank, &comm);
      random_numbers random(hash(test.seed, node_size, turned));
      for (const std::string_view name : {"hierarchical", "one_sided", "pgas", "coarray"})
        for (int k = 0; k < first_of_neighbours; ++k) {
          test.note(std::string(name) + " " + std::string(name_of(static_cast<kind>(k))));
          for (int round = 0; round < (name == "hierarchical" ? 6 : 1); ++round) {
            const int most = random.one_of({1, 7, 700, test.size <= 3 ? 30'000 : 1000});
            const auto one = random_trial(random, static_cast<kind>(k), comm, most);
            const bool can = wherry::collective::obstacle(one->what, name).empty();
            const auto did = wherry::collective::run(one->what, name);
            CHECK_EQUAL(did, can ? name : std::string_view("mpi"));
            const auto wrong = one->verdict();
            if (fault(!wrong.empty())) CHECK_EQUAL(std::string(name) + ": " + wrong, std::string());
          }
        }
      MPI_Comm_free(&comm);
    }
  wherry::configure("node_size", "0");
}

WHERRY_TEST(long_vectors_go_in_parts, ranks(2, 3).not_simulated(same_among_few)) {
  for_each_that_can(test, [&](std::string_view name, kind what) {
    random_numbers random(hash(test.seed, std::string(name).size(), static_cast<int>(what), 1));
    test.note(std::string(name) + " " + std::string(name_of(what)));
    const auto one = random_trial(random, what, test.comm, 90'000);  // beyond a slot of whatever
    wherry::collective::run(one->what, name);
    const auto wrong = one->verdict();
    if (fault(!wrong.empty())) CHECK_EQUAL(std::string(name) + ": " + wrong, std::string());
  });
}

WHERRY_TEST(buffers_that_the_node_shares_are_read_where_they_are, ranks(1, 2, 3, 4, 8).not_simulated(same_among_few)) {
  const with_setting in_place("one_copy_row", "1", "0");  // however far apart the ranks are
  const wherry::communicator comm(test.comm);
  MPI_Comm there = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &there);
  random_numbers own(hash(test.seed, test.rank));  // each rank's buffers are here or there
  for (const std::string_view name : {"shared", "hierarchical"})
    for (int k = 0; k < first_of_neighbours; ++k) {
      random_numbers random(hash(test.seed, k));
      test.note(std::string(name) + " " + std::string(name_of(static_cast<kind>(k))));
      for (const int most : {1, 700, 700, 5'000, test.size <= 4 ? 40'000 : 5'000}) {
        const auto one = random_trial(random, static_cast<kind>(k), there, most);
        if (own.between(0, 3) > 0) one->move_to_node_memory(comm);
        wherry::collective::run(one->what, name);
        const auto wrong = one->verdict();
        if (fault(!wrong.empty())) CHECK_EQUAL(std::string(name) + ": " + wrong, std::string());
        // At once, when others may not have read what they need yet.
        if (one->send_of_node.data() != nullptr) std::memset(one->send_of_node.data(), 0x55, one->send.size());
        if (one->receive_of_node.data() != nullptr) std::memset(one->receive_of_node.data(), 0x55, one->receive.size());
      }
    }
  MPI_Comm_free(&there);
}

WHERRY_TEST(several_in_flight_end_in_any_order, ranks(1, 2, 3, 4, 8).simulated_in(4)) {
  std::vector<std::pair<std::string_view, kind>> all;
  for_each_that_can(test, [&](std::string_view name, kind what) { all.emplace_back(name, what); });
  random_numbers random(hash(test.seed, test.share)), order(hash(test.seed, test.rank));
  for (int round = 0; round < (are_hundreds(test) ? 1 : 40); ++round) {
    struct flight {
      std::unique_ptr<collective_oracle::trial> what;
      wherry::collective::running_call under_way;
    };
    std::vector<flight> flights;
    const int count = random.between(1, 6);
    for (int i = 0; i < count; ++i) {
      const auto& [name, what] = random.one_of(all);
      auto one = random_trial(random, what, test.comm, are_hundreds(test) ? 7 : random.one_of({1, 40, 3000}));
      if (would_be_spoiled(one->what, name)) continue;
      test.note(std::string(name) + " " + std::string(name_of(what)));
      auto begun = wherry::collective::start(one->what, {.protected_buffer = false, .implementation = name});
      flights.push_back({std::move(one), std::move(begun)});
    }
    order.shuffle(flights);
    for (auto& one : flights) {
      if (order.chance(30)) {
        while (!one.under_way.test()) std::this_thread::yield();
      } else {
        one.under_way.wait();
      }
      CHECK_EQUAL(one.what->verdict(), std::string());
    }
  }
}

WHERRY_TEST(a_protected_buffer_may_be_written_to_at_once, ranks(1, 3).not_simulated(same_among_few)) {
  for_each_that_can(test, [&](std::string_view name, kind what) {
    random_numbers random(hash(test.seed, std::string(name).size(), static_cast<int>(what), 2));
    for (int round = 0; round < 6; ++round) {
      const auto one = random_trial(random, what, test.comm, random.one_of({1, 40, 3000}));
      auto begun = wherry::collective::start(one->what, {.protected_buffer = true, .implementation = name});
      for (auto& byte : one->send) byte = std::byte{0x5A};
      begun.wait();
      one->sent = one->send;
      const auto wrong = one->verdict();
      if (fault(!wrong.empty())) CHECK_EQUAL(std::string(name) + ": " + wrong, std::string());
    }
  });
}

WHERRY_TEST(back_to_back_calls_on_several_communicators, ranks(1, 2, 3, 4, 8).simulated_in(6)) {
  MPI_Comm half = MPI_COMM_NULL, turned = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank % 2, test.rank, &half);
  MPI_Comm_split(test.comm, 0, -test.rank, &turned);
  random_numbers random(hash(test.seed, test.share)), of_half(hash(test.seed, test.share, test.rank % 2));
  const auto all = wherry::collective::implementations_there_are();
  const int calls = calls_wanted(test.size <= 2 ? 10'000 : are_hundreds(test) ? 5 : 1'000);
  for (int i = 0; i < calls; ++i) {
    const auto what = static_cast<kind>(random.between(0, first_of_neighbours - 1));
    const int which = random.between(0, 2);
    auto& numbers = which == 0 ? of_half : random;
    const auto comm = which == 0 ? half : which == 1 ? turned : test.comm;
    const auto one = random_trial(numbers, what, comm, 20);
    if (wherry::detail::ranks_share_a_process)  // as in for_each_that_can: no choice may end in the simulator's own
      wherry::collective::run(one->what, "linear");
    else if (const auto& row = numbers.one_of(all); numbers.chance(50))
      wherry::collective::run(one->what, row.name);  // where it cannot, MPI does it
    else
      wherry::collective::run(one->what);
    const auto wrong = one->verdict();
    if (fault(!wrong.empty())) CHECK_EQUAL("call " + std::to_string(i) + ": " + wrong, std::string());
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&turned);
}
