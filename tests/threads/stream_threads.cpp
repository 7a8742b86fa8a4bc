// Several threads of a rank at a time: byte streams on one communicator, the node's arena, the list of transports.
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/deep/communicate.hpp"
#include "wherry/deep/in_flight.hpp"
#include "wherry/transport/transport.hpp"

#include "deep/mpi/family.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

void need_threads(const context& test) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
}

// From within a message of MPI's to several times round the ring.
constexpr int people_of[] = {0, 3, 40, 700, 12000, 20};

std::uint64_t seed_of(const context& test, int from, int tag, int round) { return hash(test.seed, from, tag, round); }

void send_all(const context& test, const wherry::communicator& comm, int to, int tag) {
  for (int round = 0; round < static_cast<int>(std::size(people_of)); ++round) {
    const family original(seed_of(test, test.rank, tag, round), people_of[round]);
    if (round % 2 == 0) {
      deep::send(comm, original.head, to, {.tag = tag});
    } else {
      deep::start_send(comm, original.head, to, {.tag = tag}).wait();
    }
  }
}

void receive_all(const context& test, const wherry::communicator& comm, int from, int tag) {
  for (int round = 0; round < static_cast<int>(std::size(people_of)); ++round) {
    family arrived;
    if (round % 3 == 0) {
      deep::start_receive(comm, arrived.head, from, {.tag = tag}).wait();
    } else {
      deep::receive(comm, arrived.head, from, {.tag = tag});
    }
    const family original(seed_of(test, from, tag, round), people_of[round]);
    CHECK(same(arrived.head, original.head));
  }
}

}  // namespace

WHERRY_TEST(streams_of_several_threads, ranks(1, 2, 3).not_simulated("threads")) {
  need_threads(test);
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    std::vector<std::jthread> threads;
    for (const int tag : {1, 2}) {
      threads.emplace_back([&, tag] { send_all(test, comm, next, tag); });
      threads.emplace_back([&, tag] { receive_all(test, comm, before, tag); });
    }
  }
}

// Nobody's memory is anybody else's, fresh memory is zero, and what is retired stays until it is released.
WHERRY_TEST(an_arena_of_several_threads, ranks(1, 2).not_simulated("threads")) {
  const wherry::communicator comm(test.comm);
  auto* const arena = comm.arena();
  if (arena == nullptr) test.skip("no shared memory here");
  const auto work = [&](int thread) {
    random_numbers random(hash(test.seed, test.rank, thread));
    struct piece {
      unsigned char* data;
      std::size_t bytes;
      unsigned char mark;
    };
    std::vector<piece> mine;
    const auto intact = [](const piece& p) {
      return p.data[0] == p.mark && std::memcmp(p.data, p.data + 1, p.bytes - 1) == 0;
    };
    for (int round = 0; round < 300; ++round) {
      const auto bytes = static_cast<std::size_t>(random.chance(2) ? 3 << 20 : random.between(1, 5000));
      piece fresh{static_cast<unsigned char*>(arena->allocate(bytes)), bytes, 0};
      CHECK(intact(fresh));
      fresh.mark = static_cast<unsigned char>(1 + (thread * 50 + round) % 250);
      std::memset(fresh.data, fresh.mark, bytes);
      mine.push_back(fresh);
      CHECK(arena->offset_of(fresh.data).has_value());
      if (mine.size() < 10) continue;
      const auto which = static_cast<std::size_t>(random.between(0, 9));
      CHECK(intact(mine[which]));
      if (random.chance(50)) {
        arena->deallocate(mine[which].data);
      } else {
        arena->retire(mine[which].data, [polls = 0]() mutable { return ++polls > 3; });
      }
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(which));
    }
    for (const auto& p : mine) {
      CHECK(intact(p));
      arena->deallocate(p.data);
    }
  };
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
}

WHERRY_TEST(transports_are_registered_while_others_look, ranks(1).not_simulated("threads")) {
  const auto known = wherry::transports::all_transports().size();
  std::jthread other([&] {
    auto mine = wherry::transports::find_transport("two_sided");
    for (int i = 0; i < 200; ++i) {
      mine.name = "mine " + std::to_string(i);
      wherry::transports::register_transport(mine);
    }
  });
  std::size_t most = known;
  while (most < known + 200) {
    const auto rows = wherry::transports::all_transports();
    CHECK(rows.size() >= most);
    most = rows.size();
    CHECK_EQUAL(wherry::transports::find_transport(rows.back()->name).name, rows.back()->name);
  }
}
