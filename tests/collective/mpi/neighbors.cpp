// Neighbourhood collectives by every implementation, in topologies of all kinds, against the obvious answer.
#include <mpi.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "harness/harness.hpp"
#include "support/with_setting.hpp"
#include "topologies.hpp"

using namespace wherry_test;
using collective_oracle::random_topology;
using collective_oracle::random_trial_of_neighbors;
using wherry::collective::call;
using wherry::collective::kind;
using wherry::collective::obstacle;

namespace {

constexpr std::array all_kinds{kind::neighbor_allgather, kind::neighbor_allgatherv, kind::neighbor_alltoall,
                               kind::neighbor_alltoallv, kind::neighbor_alltoallw};
constexpr std::string_view ours[] = {"shared", "hierarchical", "one_sided", "pgas", "coarray", "linear"};

bool can(const call& what, std::string_view name) { return obstacle(what, name).empty(); }

void check(const std::string& verdict, std::string_view name) {
  if (fault(!verdict.empty())) CHECK_EQUAL(std::string(name) + ": " + verdict, std::string());
}

constexpr auto no_graphs = "the simulator's MPI has neither graphs nor calls among neighbours";

}  // namespace

WHERRY_TEST(neighbors_of_any_topology_get_the_obvious_answer, ranks(1, 2, 3, 4, 8).not_simulated(no_graphs)) {
  random_numbers random(test.seed);
  for (int round = 0; round < (test.size > 4 ? 8 : 24); ++round) {
    const auto where = random_topology(random, test.comm);
    test.note(where->name);
    for (const auto name : ours)
      for (const auto what : all_kinds) {
        const auto one = random_trial_of_neighbors(random, what, *where, random.one_of({1, 2, 7, 40, 700}));
        if (!can(one->what, name) && where->breaks_mpich(what)) continue;
        const auto did = wherry::collective::run(one->what, name);
        CHECK_EQUAL(did, can(one->what, name) ? name : std::string_view("mpi"));
        check(one->verdict(), name);
      }
    // And what is chosen where nobody says anything.
    for (const auto what : all_kinds) {
      const auto one = random_trial_of_neighbors(random, what, *where, 7);
      CHECK_EQUAL(wherry::collective::run(one->what), test.size > 1 ? "shared" : "mpi");
      check(one->verdict(), "the choice");
    }
  }
}

WHERRY_TEST(who_has_no_neighbors_needs_no_buffers, ranks(1, 2, 3).not_simulated(no_graphs)) {
  const bool sends = test.size > 1 && test.rank == 0, hears = test.size > 1 && test.rank == 1;
  const int to = 1, from = 0;
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(test.comm, hears ? 1 : 0, &from, MPI_UNWEIGHTED, sends ? 1 : 0, &to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &pair);
  const double sent = 7;
  double received = 0;
  const int one = 1, first = 0;
  const auto* const s = sends ? &sent : nullptr;
  auto* const r = hears ? &received : nullptr;
  const call calls[]{call::neighbor_allgather(s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, pair),
                     call::neighbor_allgatherv(s, 1, MPI_DOUBLE, r, &one, &first, MPI_DOUBLE, pair),
                     call::neighbor_alltoall(s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, pair),
                     call::neighbor_alltoallv(s, &one, &first, MPI_DOUBLE, r, &one, &first, MPI_DOUBLE, pair)};
  for (const auto& what : calls)
    for (const std::string_view name : {"mpi", "nonblocking", "shared", "hierarchical", "linear"}) {
      if (!can(what, name)) continue;
      test.note(std::string(name_of(what.kind)) + " by " + std::string(name));
      received = 0;
      wherry::collective::run(what, name);
      CHECK_EQUAL(received, hears ? 7. : 0.);
      received = 0;
      wherry::collective::start(what, {.implementation = name}).wait();
      CHECK_EQUAL(received, hears ? 7. : 0.);
    }
  MPI_Comm_free(&pair);
}

WHERRY_TEST(long_blocks_of_neighbors_go_in_parts, ranks(1, 2, 3, 4).not_simulated(no_graphs)) {
  random_numbers random(hash(test.seed, 1));
  for (int round = 0; round < 4; ++round) {
    const auto where = random_topology(random, test.comm);
    for (const auto name : ours)
      for (const auto what : all_kinds) {
        test.note(std::string(name) + " " + std::string(name_of(what)) + " in " + where->name);
        const auto one = random_trial_of_neighbors(random, what, *where, 60'000);
        if (!can(one->what, name)) continue;
        wherry::collective::run(one->what, name);
        check(one->verdict(), name);
      }
  }
}

WHERRY_TEST(neighbors_on_other_nodes, ranks(2, 3, 4, 8).not_simulated(no_graphs)) {
  random_numbers random(hash(test.seed, 2));
  for (const int node_size : {1, 2, 3}) {
    wherry::configure("node_size", std::to_string(node_size));
    for (int round = 0; round < (test.size > 4 ? 3 : 6); ++round) {
      const auto where = random_topology(random, test.comm);
      test.note(where->name);
      for (const std::string_view name : {"hierarchical", "one_sided", "linear"})
        for (const auto what : all_kinds) {
          const auto one = random_trial_of_neighbors(random, what, *where, random.one_of({1, 7, 700, 20'000}));
          const auto did = wherry::collective::run(one->what, name);
          CHECK_EQUAL(did, can(one->what, name) ? name : std::string_view("mpi"));
          check(one->verdict(), name);
        }
    }
  }
  wherry::configure("node_size", "0");
}

WHERRY_TEST(neighbors_buffers_that_the_node_shares_are_read_where_they_are,
            ranks(1, 2, 3, 4, 8).not_simulated(no_graphs)) {
  const with_setting in_place("one_copy_row", "1", "0");  // however far apart the ranks are
  const wherry::communicator comm(test.comm);
  random_numbers random(hash(test.seed, 3)), own(hash(test.seed, test.rank));
  for (int round = 0; round < 12; ++round) {
    const auto where = random_topology(random, test.comm);
    for (const auto what : all_kinds) {
      const auto one = random_trial_of_neighbors(random, what, *where, random.one_of({700, 5'000, 40'000}));
      if (own.between(0, 3) > 0) one->move_to_node_memory(comm);
      wherry::collective::run(one->what, "shared");
      check(one->verdict(), "shared");
      if (one->send_of_node.data() != nullptr) std::memset(one->send_of_node.data(), 0x55, one->send.size());
    }
  }
}

WHERRY_TEST(several_among_neighbors_in_flight_end_in_any_order, ranks(1, 2, 3, 4, 8).not_simulated(no_graphs)) {
  random_numbers random(hash(test.seed, 4)), order(hash(test.seed, test.rank));
  for (int round = 0; round < 12; ++round) {
    const auto where = random_topology(random, test.comm);
    struct flight {
      std::unique_ptr<collective_oracle::trial> what;
      wherry::collective::running_call under_way;
    };
    std::vector<flight> flights;
    for (int i = 0; i < 5; ++i) {
      auto name = ours[random.between(0, static_cast<int>(std::size(ours)) - 1)];
      auto one = random_trial_of_neighbors(random, all_kinds[static_cast<std::size_t>(random.between(0, 4))], *where,
                                           random.one_of({1, 40, 3000}));
      if (!can(one->what, name)) name = "linear";  // MPI's non-blocking forms may have another idea of the order
      const bool is_protected = random.chance(50);
      auto begun = wherry::collective::start(one->what, {.protected_buffer = is_protected, .implementation = name});
      if (is_protected) {
        for (auto& byte : one->send) byte = std::byte{0x5A};
        one->sent = one->send;
      }
      flights.push_back({std::move(one), std::move(begun)});
    }
    order.shuffle(flights);
    for (auto& one : flights) {
      if (order.chance(30)) {
        while (!one.under_way.test()) std::this_thread::yield();
      } else {
        one.under_way.wait();
      }
      check(one.what->verdict(), "in flight");
    }
  }
}

WHERRY_TEST(neighbors_that_say_different_things_are_named_in_checking_mode, ranks(2, 3).not_simulated(no_graphs)) {
  wherry::configure("check", "1");
  MPI_Comm line = MPI_COMM_NULL;
  const int open_ended = 0;
  MPI_Cart_create(test.comm, 1, &test.size, &open_ended, 0, &line);
  const int mine = test.rank;
  int come[4]{};
  wherry::collective::run(call::neighbor_allgather(&mine, 1, MPI_INT, come, 1, MPI_INT, line));
  try {
    wherry::collective::run(call::neighbor_allgather(&mine, 1, MPI_INT, come, test.rank == 0 ? 2 : 1, MPI_INT, line));
    CHECK_EQUAL(std::string("it ran"), "");
  } catch (const wherry::error& failure) {
    CHECK(failure.kind() == wherry::error_kind::mismatch);
    CHECK(std::string_view(failure.what()).find("rank 1 sends 4 bytes, expected 8") != std::string_view::npos);
  }
  MPI_Comm_free(&line);
  wherry::configure("check", "0");
}

WHERRY_TEST(wrong_arguments_among_neighbors_are_named, ranks(1, 2, 3).not_simulated(no_graphs)) {
  MPI_Comm ring = MPI_COMM_NULL;
  const int periodic = 1;
  MPI_Cart_create(test.comm, 1, &test.size, &periodic, 0, &ring);
  int send[2]{}, receive[2]{}, counts[2]{1, -1}, fine[2]{1, 1}, places[2]{0, 1};
  const auto is_refused = [&](const call& what, std::string_view argument) {
    try {
      wherry::collective::run(what);
      CHECK_EQUAL(std::string("it ran"), std::string(argument));
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::argument);
      CHECK(std::string_view(failure.what()).find(argument) != std::string_view::npos);
    }
  };
  is_refused(call::neighbor_allgather(send, -1, MPI_INT, receive, 1, MPI_INT, ring), "'send_count' is -1");
  is_refused(call::neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_DATATYPE_NULL, ring), "'receive_type'");
  is_refused(call::neighbor_alltoallv(send, counts, places, MPI_INT, receive, fine, places, MPI_INT, ring),
             "'send_counts[1]' is -1");
  is_refused(call::neighbor_alltoallv(send, fine, places, MPI_INT, receive, fine, nullptr, MPI_INT, ring),
             "'receive_displacements' is null");
  const MPI_Aint addresses[2]{0, 4};
  const MPI_Datatype types[2]{MPI_INT, MPI_DATATYPE_NULL};
  is_refused(call::neighbor_alltoallw(send, fine, addresses, types, receive, fine, addresses, types, ring),
             "send_types[1]");
  // Without a topology there are no neighbours: MPI says so, by whom it is called.
  const auto nowhere = call::neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT, test.comm);
  CHECK_EQUAL(obstacle(nowhere, "linear"), "the communicator has no topology");
  MPI_Comm_free(&ring);
}
