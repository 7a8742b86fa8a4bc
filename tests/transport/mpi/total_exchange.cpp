// Total exchanges: every rank sends to every other. All transports deliver the same bytes, also of patterns that are
// none; auto recognises those where a collective pays, and only those.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

/// Bytes from one rank to another in one stage; negative: no message.
using sizes = std::function<int(int stage, int from, int to)>;

/// Bytes for each message. Hundreds of simulated ranks share one machine's memory.
int room_of(int ranks) { return ranks <= 16 ? 20000 : 2000; }

std::byte value(int round, int stage, int from, int to, int k) {
  return static_cast<std::byte>((round * 7 + stage * 31 + from * 13 + to * 5 + k * 3 + k / 256) & 0xFF);
}

std::int64_t place(int stage, int peer, int ranks) { return std::int64_t{room_of(ranks)} * (stage * ranks + peer); }

wherry::plans::message make_message(wherry::plans::schedule& plan, int field, int stage, int peer, int bytes,
                                    int ranks) {
  const std::int64_t extents[] = {bytes}, strides[] = {1};
  const auto b = wherry::plans::strided_block(field, 1, place(stage, peer, ranks), extents, strides);
  return plan.make_message(peer, wherry::detail::store, {&b, 1});
}

wherry::plans::schedule make_plan(int rank, int ranks, int stages, const sizes& size) {
  wherry::plans::schedule plan;
  plan.pattern = "total exchange";
  const auto bytes = place(stages, 0, ranks);
  plan.fields = {{"out", 1, 0, bytes, wherry::memory_space::host}, {"in", 1, 0, bytes, wherry::memory_space::host}};
  for (int s = 0; s < stages; ++s) {
    auto& part = plan.stages.emplace_back();
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == rank) continue;
      if (const int n = size(s, rank, peer); n >= 0) part.sends.push_back(make_message(plan, 0, s, peer, n, ranks));
      if (const int n = size(s, peer, rank); n >= 0) part.receives.push_back(make_message(plan, 1, s, peer, n, ranks));
    }
  }
  return plan;
}

/// Exchanges three times and checks every byte; gives what `explain` says of it.
std::string exchange_and_look(MPI_Comm users, const std::string& transport, int stages, const sizes& wanted,
                              const std::string& about, bool snapshot = false) {
  const wherry::communicator comm(users);
  const int rank = comm.rank(), ranks = comm.size(), room = room_of(ranks);
  const sizes size = [&](int stage, int from, int to) { return std::min(wanted(stage, from, to), room); };
  std::vector<std::byte> out(static_cast<std::size_t>(place(stages, 0, ranks))), in(out.size());
  wherry::exchange bound(comm, make_plan(rank, ranks, stages, size), {},
                         {.transport = transport, .snapshot = snapshot});
  void* const fields[] = {out.data(), in.data()};
  long wrong = 0;
  for (int round = 0; round < (ranks <= 16 ? 3 : 1); ++round) {
    std::fill(in.begin(), in.end(), std::byte{0xEE});
    for (int s = 0; s < stages; ++s)
      for (int peer = 0; peer < ranks; ++peer)
        for (int k = 0; k < (peer == rank ? 0 : size(s, rank, peer)); ++k)
          out[static_cast<std::size_t>(place(s, peer, ranks) + k)] = value(round, s, rank, peer, k);
    bound.start(fields);
    if (snapshot) std::fill(out.begin(), out.end(), std::byte{0xDD});
    bound.wait();
    for (int s = 0; s < stages; ++s)
      for (int peer = 0; peer < ranks; ++peer) {
        const int n = peer == rank ? 0 : std::max(0, size(s, peer, rank));
        const auto* arrived = in.data() + place(s, peer, ranks);
        for (int k = 0; k < n; ++k) wrong += arrived[k] == value(round, s, peer, rank, k) ? 0 : 1;
        wrong += n < room && arrived[n] != std::byte{0xEE} ? 1 : 0;  // nothing beyond
      }
  }
  if (fault(wrong > 0)) FAIL(bound.transport() + " delivered " + std::to_string(wrong) + " wrong bytes" + about);
  return bound.explain();
}

struct pattern {
  const char* name;
  int stages;
  sizes size;
  bool simulated = false;  // also among hundreds of ranks
};

const std::vector<pattern> patterns{
    {"equal and small", 1, [](int, int, int) { return 48; }, true},
    {"equal, an odd size", 1, [](int, int, int) { return 37; }},
    {"equal and large", 1, [](int, int, int) { return 20000; }},
    {"unequal", 1, [](int, int from, int to) { return 100 * from + 7 * to + 1; }},
    {"nothing for some", 1, [](int, int from, int to) { return (from + to) % 3 == 0 ? 0 : 64 * from; }},
    {"no message for some", 1, [](int, int from, int to) { return (from + 2 * to) % 3 == 0 ? -1 : 200; }, true},
    {"to the right only", 1, [](int, int from, int to) { return to == from + 1 ? 3000 : -1; }, true},
    {"empty messages", 1, [](int, int, int) { return 0; }},
    {"stages of different ranks", 3, [](int s, int from, int to) { return (from + to) % 3 == s ? 500 + s : -1; }},
    {"two total exchanges", 2, [](int s, int, int) { return 16 + 1000 * s; }},
};

}  // namespace

WHERRY_TEST(all_transports_deliver_the_same, ranks(1, 2, 3, 4, 8)) {
  const bool simulated = test.size > 16;  // tens of thousands of messages an exchange
  const std::set<std::string> chosen{"auto", "total_exchange"};
  for (const auto& name : usable_transports(test.comm))
    for (const auto& p : patterns) {
      if (simulated && (!chosen.contains(name) || !p.simulated)) continue;
      test.note(name + ", " + p.name);
      exchange_and_look(test.comm, name, p.stages, p.size, std::string(" of: ") + p.name);
      if (p.stages == 1 && !simulated)
        exchange_and_look(test.comm, name, p.stages, p.size, ", a snapshot, of: " + std::string(p.name), true);
    }
}

WHERRY_TEST(messages_beyond_the_limit, ranks(2, 3).not_simulated("SimGrid has not this transport")) {
  const setting limit("message_limit", "1000", "1073741824");
  for (const auto& p : patterns) {
    test.note(p.name);
    exchange_and_look(test.comm, "total_exchange", p.stages, p.size, std::string(" of: ") + p.name);
  }
}

// With a node a rank, so that there are remote peers.
WHERRY_TEST(auto_recognises_small_total_exchanges, ranks(4, 8, 16).not_simulated("SimGrid has not this transport")) {
  MPI_Comm apart = MPI_COMM_NULL;
  MPI_Comm_dup(test.comm, &apart);
  {
    const setting node_size("node_size", "1", "0");
    const wherry::communicator one_a_node(apart);
  }
  const auto recognised = [&](const sizes& size) {
    return exchange_and_look(apart, "auto", 1, size, "").find("transport total_exchange (") != std::string::npos;
  };
  // Fewer rounds than messages, and little in each; with few ranks it does not pay.
  CHECK_EQUAL(recognised([](int, int, int) { return 64; }), test.size >= 16);
  CHECK(!recognised([](int, int, int) { return 20000; }));
  CHECK(!recognised([](int, int from, int to) { return from == 0 && to == 1 ? 80 : 64; }));
  CHECK(!recognised([](int, int from, int to) { return from == 0 && to == 1 ? -1 : 64; }));
  CHECK(!recognised([](int, int, int) { return 0; }));
  MPI_Comm_free(&apart);
}

// Inside a node shared memory is faster.
WHERRY_TEST(auto_stays_with_shared_memory_on_one_node, ranks(4, 8)) {
  const wherry::communicator comm(test.comm);
  if (static_cast<int>(comm.node_ranks().size()) != test.size) test.skip("not all ranks are on one node");
  CHECK(exchange_and_look(
            test.comm, "auto", 1, [](int, int, int) { return 64; }, "")
            .find("transport shared (same node)") != std::string::npos);
}

// Each has a communicator of its own, so the ranks may start them in any order.
WHERRY_TEST(total_exchanges_started_in_different_orders,
            ranks(2, 3, 4, 8).not_simulated("SimGrid has not this transport")) {
  const wherry::communicator comm(test.comm);
  const int rank = comm.rank(), ranks = comm.size();
  const auto bytes = static_cast<std::size_t>(place(1, 0, ranks));
  const auto size = [](int, int, int) { return 300; };
  std::vector<std::vector<std::byte>> out(2, std::vector<std::byte>(bytes)), in(out);
  std::vector<wherry::exchange> both;
  for (std::size_t i = 0; i < 2; ++i) {
    for (int peer = 0; peer < ranks; ++peer)
      for (int k = 0; k < 300; ++k)
        out[i][static_cast<std::size_t>(place(0, peer, ranks) + k)] = value(static_cast<int>(i), 0, rank, peer, k);
    both.emplace_back(comm, make_plan(rank, ranks, 1, size), wherry::plans::functions{},
                      wherry::carry_options{.transport = "total_exchange"});
    void* const fields[] = {out[i].data(), in[i].data()};
    both[i].set_fields(fields);
  }
  const std::size_t first = static_cast<std::size_t>(rank) % 2;
  both[first].start();
  both[1 - first].start();
  both[0].wait();
  both[1].wait();
  long wrong = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (int peer = 0; peer < ranks; ++peer)
      for (int k = 0; k < (peer == rank ? 0 : 300); ++k)
        wrong +=
            in[i][static_cast<std::size_t>(place(0, peer, ranks) + k)] == value(static_cast<int>(i), 0, peer, rank, k)
                ? 0
                : 1;
  CHECK_EQUAL(wrong, 0);
}
