// Waiting for what has come from some ranks.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/alltoall_exchange.hpp"
#include "wherry/plan/schedule_builder.hpp"
#include "wherry/transport/exchange.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

// All that a rank sends is there when it is named, and each rank is named once.
WHERRY_TEST(who_is_named_has_come, ranks(1, 2, 3, 4, 8).not_simulated("takes minutes")) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 200, [&](random_case& now) {
    const auto users = nodes.pick(now.random);
    const wherry::communicator comm(users);
    // Any pairs of ranks, in up to three stages; message number i of a pair has its numbers in it.
    const int stages = now.random.between(1, 3);
    struct letter {
      int from, to, stage, bytes;
    };
    std::vector<letter> letters;
    for (int i = now.random.between(0, 4 * test.size); i > 0; --i) {
      const letter one{now.random.between(0, test.size - 1), now.random.between(0, test.size - 1),
                       now.random.between(0, stages - 1), now.random.between(1, 300)};
      const auto same = [&](const letter& l) { return l.from == one.from && l.to == one.to && l.stage == one.stage; };
      if (one.from != one.to && std::none_of(letters.begin(), letters.end(), same)) letters.push_back(one);
    }
    wherry::plans::schedule_builder plan("letters", test.rank);
    for (const char* const name : {"out", "in"})
      plan.add_field({.name = name, .element = 1, .lowest = 0, .highest = 100000, .type = {}});
    std::int64_t at = 0;
    std::map<int, std::vector<std::pair<std::int64_t, int>>> expected;  // by sender: where, how many
    for (int s = 0; s < stages; ++s) {
      if (s > 0) plan.next_stage();
      for (const auto& l : letters) {
        if (l.stage != s) continue;
        const std::int64_t extents[] = {l.bytes}, strides[] = {1};
        if (l.from == test.rank) plan.send(l.to, wherry::plans::strided_block(0, 1, at, extents, strides));
        if (l.to == test.rank) {
          plan.receive(l.from, wherry::plans::strided_block(1, 1, at, extents, strides));
          expected[l.from].emplace_back(at, l.bytes);
        }
        at += l.bytes;
      }
    }
    const auto transport = now.random.one_of(usable_transports(users));
    const bool checked = now.random.chance(20);
    const setting check("check", checked ? "1" : "0", "0");
    wherry::exchange exchange(comm, plan.finish(), {}, {.transport = transport});
    std::vector<unsigned char> out(static_cast<std::size_t>(at) + 1), in(out.size());
    void* const fields[] = {out.data(), in.data()};
    for (int round = 0; round < 4; ++round) {
      const auto value = [&](std::size_t i) { return static_cast<unsigned char>(hash(round, i)); };
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(i), in[i] = static_cast<unsigned char>(~value(i));
      exchange.start(fields);
      std::vector<int> named;
      bool ended = false;
      for (auto from = exchange.wait_some(); !ended; from = exchange.wait_some()) {
        for (const int rank : from) {
          for (const auto& [place, bytes] : expected[rank])
            for (auto i = place; i < place + bytes; ++i)
              if (in[static_cast<std::size_t>(i)] != value(static_cast<std::size_t>(i)))
                return FAIL(now.title + ", " + transport + ": rank " + std::to_string(rank) + " has not come"), void();
          named.push_back(rank);
        }
        ended = from.empty();
        if (!ended && round == 3) {  // enough of it
          exchange.wait();
          break;
        }
      }
      std::sort(named.begin(), named.end());
      CHECK(std::adjacent_find(named.begin(), named.end()) == named.end());
      if (ended)
        for (const auto& [rank, places] : expected)
          if (!places.empty()) CHECK(std::binary_search(named.begin(), named.end(), rank));
      if (ended) exchange.wait();  // which is at its end already
    }
  });
}

// The same of what is registered transfer by transfer.
WHERRY_TEST(who_is_named_has_come_all_to_all, ranks(2, 3, 4)) {
  wherry::alltoall_exchange everybody(test.comm);
  const auto all = static_cast<std::size_t>(test.size);
  std::vector<int> out(all), in(all);
  for (int r = 0; r < test.size; ++r) {
    if (r == test.rank) continue;
    everybody.send(r, &out[static_cast<std::size_t>(r)], sizeof(int));
    everybody.receive(r, &in[static_cast<std::size_t>(r)], sizeof(int));
  }
  all_throw(test, "not set up", error_kind::state, "commit", [&] { everybody.wait_some(); });
  everybody.commit();
  for (int round = 1; round < 5; ++round) {
    for (int r = 0; r < test.size; ++r) out[static_cast<std::size_t>(r)] = 100 * round + 10 * test.rank + r;
    std::vector<int> named;
    everybody.start();
    for (auto from = everybody.wait_some(); !from.empty(); from = everybody.wait_some())
      for (const int rank : from) {
        CHECK_EQUAL(in[static_cast<std::size_t>(rank)], 100 * round + 10 * rank + test.rank);
        named.push_back(rank);
      }
    std::sort(named.begin(), named.end());
    CHECK_EQUAL(named.size(), all - 1);
    CHECK(std::adjacent_find(named.begin(), named.end()) == named.end());
  }
}

WHERRY_TEST(nobody_waits_for_some_of_nothing, ranks(1, 2)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<int, 1> cells(grid.comm(), {8}, 1);
  wherry::halo_exchange exchange(grid, cells);
  all_throw(test, "not started", error_kind::state, "'wait_some' was called without 'start'",
            [&] { exchange.wait_some(); });
  exchange.start();
  while (!exchange.test()) {
  }
  CHECK(exchange.wait_some().empty());
}

// The first of two neighbours is reported while the other has not even begun.
WHERRY_TEST(one_neighbour_after_the_other, ranks(3, 4).not_simulated("real time must pass")) {
  for (const std::string name : {"two_sided", "persistent", "shared"}) {
    if (name == "shared" && !std::ranges::count(usable_transports(test.comm), name)) continue;
    const wherry::process_grid grid(test.comm, {.periodic = {true}});
    wherry::field<int, 1> cells(grid.comm(), {8}, 1);
    wherry::halo_exchange exchange(grid, {.carry = {.transport = name}}, cells);
    if (test.rank == 1) {
      exchange.start();
      const auto first = exchange.wait_some();
      CHECK_EQUAL(first.size(), 1u);
      CHECK_EQUAL(first[0], 0);
    }
    if (test.rank != 2) {
      if (test.rank != 1) exchange.start();
      if (test.rank == 1) MPI_Send(nullptr, 0, MPI_BYTE, 2, 0, test.comm);
    } else {
      MPI_Recv(nullptr, 0, MPI_BYTE, 1, 0, test.comm, MPI_STATUS_IGNORE);
      exchange.start();
    }
    exchange.wait();
  }
}
