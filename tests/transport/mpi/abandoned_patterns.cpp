// What is given up in flight, pattern by pattern, with code of the user's that refers to what is gone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wherry/plan/schedule_builder.hpp"
#include "wherry/wherry.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

int before(const context& test) { return (test.rank + test.size - 1) % test.size; }
int after(const context& test) { return (test.rank + 1) % test.size; }

// `pattern` is started on rank 0 and lost there by an exception; the other ranks see it through.
template <class Pattern> void lose_on_rank_0(const context& test, std::unique_ptr<Pattern> pattern) {
  try {
    const auto local = std::move(pattern);
    local->start();
    if (test.rank == 0) throw std::runtime_error("between start and wait");
    local->wait();
  } catch (const std::runtime_error& failure) {
    if (!CHECK_EQUAL(test.rank, 0)) FAIL(failure.what());
  }
}

// A structure on the heap, as users have them.
struct ring_of_buffers {
  ring_of_buffers(const context& test, const char* transport)
      : exchange(wherry::process_grid(test.comm, {.periodic = {true}}), {.transport = transport}),
        out(100, test.rank),
        in(100, -1) {
    exchange.send_to<1>(out.data(), 400);
    exchange.receive_from<-1>(in.data(), 400);
    exchange.commit();
  }
  void start() { exchange.start(); }
  void wait() { exchange.wait(); }

  wherry::buffer_exchange exchange;
  std::vector<int> out, in;
};

struct with_reduction {
  with_reduction(const context& test, const char* transport)
      : calls(std::make_unique<int>(0)),
        grid(test.comm, {.periodic = {true}}),
        u(grid.comm(), {4}, 1),
        exchange(grid, how(transport), u) {
    for (int i = -1; i < 5; ++i) u(i) = 1;
  }
  wherry::halo_options how(const char* transport) {
    wherry::halo_options options;
    options.carry.transport = transport;
    options.reverse = true;
    options.update = wherry::make_reduction<double>("add and count", [this](double a, double b) {
      ++*calls;  // gone once the structure is
      return a + b;
    });
    return options;
  }
  void start() { exchange.start(); }
  void wait() { exchange.wait(); }

  std::unique_ptr<int> calls;
  wherry::process_grid grid;
  wherry::field<double, 1> u;
  wherry::halo_exchange exchange;
};

struct with_accessors {
  with_accessors(const context& test, const char* transport) : exchange(wherry::communicator(test.comm), {transport}) {
    wherry::user_structure mine;
    mine.data = values.data();
    mine.code.gather = [this](const void*, wherry::index_t, std::byte* wire) {
      std::copy_n(reinterpret_cast<const std::byte*>(values.data()), 80, wire);
    };
    mine.code.scatter = [this](void*, wherry::index_t, const std::byte* wire) {
      std::copy_n(wire, 80, reinterpret_cast<std::byte*>(values.data()));
    };
    exchange.send(after(test), mine, 0, 80);
    exchange.receive(before(test), mine, 0, 80);
    exchange.commit();
  }
  void start() { exchange.start(); }
  void wait() { exchange.wait(); }

  std::vector<double> values = std::vector<double>(10, 1.5);
  wherry::alltoall_exchange exchange;
};

struct with_blocks {
  with_blocks(const context& test, const char* transport)
      : comm(test.comm),
        space(wherry::domain<2>::torus({{0, 0}, {16, 16}})),
        plan(wherry::decompose(space.cells, comm.size(), {.largest = {8, 8}})),
        u(comm, plan, {.ghost_width = 1}),
        fill(wherry::halo_motion(plan, wherry::halo_widths<2>(1), space), u, u, how(transport)) {}
  static wherry::mover_options how(const char* transport) {
    wherry::mover_options options;
    options.carry.transport = transport;
    return options;
  }
  void start() { fill.start(); }
  void wait() { fill.wait(); }

  wherry::communicator comm;
  wherry::domain<2> space;
  wherry::floor_plan<2> plan;
  wherry::x_array<double, 2> u;
  wherry::mover fill;
};

struct with_index_lists {
  with_index_lists(const context& test, const char* transport)
      : values(3, test.rank), exchange(wherry::communicator(test.comm), lists(test), how(transport), values) {}
  static wherry::index_options how(const char* transport) {
    wherry::index_options options;
    options.carry.transport = transport;
    return options;
  }
  static wherry::index_lists lists(const context& test) {
    wherry::index_lists made;
    made.sends.push_back({after(test), {1}});
    made.receives.push_back({before(test), {2}});
    return made;
  }
  void start() { exchange.start(); }
  void wait() { exchange.wait(); }

  std::vector<double> values;
  wherry::index_exchange exchange;
};

template <class Pattern> void lose(const context& test) {
  for (const char* transport : {"auto", "two_sided", "persistent", "mpi_pack", "one_sided", "aggregated"}) {
    test.note(transport);
    for (int round = 0; round < 2; ++round) lose_on_rank_0(test, std::make_unique<Pattern>(test, transport));
    Pattern again(test, transport);
    again.start();
    again.wait();
  }
}

}  // namespace

WHERRY_TEST(lost_buffers, ranks(1, 2, 3, 4)) { lose<ring_of_buffers>(test); }
WHERRY_TEST(lost_reductions, ranks(1, 2, 3, 4)) { lose<with_reduction>(test); }
WHERRY_TEST(lost_accessors, ranks(1, 2, 3, 4)) { lose<with_accessors>(test); }
WHERRY_TEST(lost_blocks, ranks(1, 2, 3, 4)) { lose<with_blocks>(test); }
WHERRY_TEST(lost_index_lists, ranks(1, 2, 3, 4)) { lose<with_index_lists>(test); }

WHERRY_TEST(abandoned_buffers_can_be_set_up_again, ranks(1, 2, 3)) {
  ring_of_buffers ring(test, "two_sided");
  ring.start();
  ring.exchange.abandon();
  CHECK_THROWS_WITH(ring.start(), "commit");
  ring.exchange.commit();
  ring.start();
  ring.wait();
  CHECK_EQUAL(ring.in.front(), before(test));
}

// What was packed together with others' for a node is on its way there, although the gather of what is for another node
// has thrown: it is not this rank's alone.
WHERRY_TEST(what_is_packed_leaves_where_a_gather_throws, ranks(3)) {
  const node_communicators nodes(test.comm);
  const wherry::communicator comm(nodes.list()[1]);  // each rank a node
  const setting timeout("timeout", test.rank == 2 ? "0.3" : "30", "0");
  wherry::plans::schedule_builder plan("functions", test.rank);
  for (const char* const field : {"out", "in"})
    plan.add_field({.name = field, .element = 1, .lowest = 0, .highest = 8, .type = {}});
  if (test.rank == 0)
    for (const int to : {1, 2}) plan.send(to, wherry::plans::called_block(0, to, 8));
  else
    plan.receive(0, wherry::plans::called_block(1, 0, 8));
  wherry::plans::functions code;
  const auto gather = [](const void*, std::int64_t region, std::byte* wire) {
    if (region == 2) throw std::runtime_error("not today");
    std::fill_n(wire, 8, std::byte{5});
  };
  const auto scatter = [](void* to, std::int64_t, const std::byte* wire) {
    std::copy_n(wire, 8, static_cast<std::byte*>(to));
  };
  code.accessors = {{gather, scatter}, {gather, scatter}};
  wherry::exchange exchange(comm, plan.finish(), code, {.transport = "aggregated"});
  std::byte out[8]{}, in[8]{};
  void* const fields[] = {out, in};
  std::string heard;
  try {
    exchange.start(fields);
    exchange.wait();
  } catch (const wherry::error& problem) {
    heard = problem.kind() == wherry::error_kind::timeout ? "timeout" : problem.what();
  } catch (const std::runtime_error& problem) {
    heard = problem.what();
  }
  const char* const expected[] = {"not today", "", "timeout"};
  CHECK_EQUAL(heard, expected[test.rank]);
  if (test.rank == 1) CHECK(in[7] == std::byte{5});
  exchange.abandon();
}

namespace {

/// Each rank's cell to the next one.
std::shared_ptr<const wherry::plans::schedule> ring_plan(const context& test) {
  wherry::plans::schedule_builder made("ring", test.rank);
  const std::int64_t extents[] = {1}, strides[] = {8};
  made.add_field({"u", 8, 0, 16});
  made.send(after(test), wherry::plans::strided_block(0, 8, 0, extents, strides));
  made.receive(before(test), wherry::plans::strided_block(0, 8, 8, extents, strides));
  return std::make_shared<const wherry::plans::schedule>(made.finish());
}

}  // namespace

// A program that binds, starts and abandons, and never waits for long, must not grow: what was abandoned holds its plan
// until it is destroyed.
WHERRY_TEST(what_was_abandoned_goes_at_the_next_bind_or_start, ranks(1, 2, 3).not_simulated("no rank spins there")) {
  const setting spin("spin", "100000", "auto");  // no wait looks after others
  const wherry::communicator comm(test.comm);
  constexpr int many = 20,
                rounds = 2000;  // an MPI over a network may take more than a few to deliver what was given up
  for (const auto& name : usable_transports(test.comm)) {
    const wherry::carry_options how{.transport = name};
    double cells[] = {1.0 * test.rank, -1};
    void* const table[] = {cells};
    wherry::exchange standing(comm, ring_plan(test), {}, how);
    for (const bool binds : {true, false}) {
      test.note(name);
      const auto plan = ring_plan(test);
      std::vector<wherry::exchange> all;
      for (int i = 0; i < many; ++i) all.emplace_back(comm, plan, wherry::plans::functions(), how);
      for (auto& one : all) {
        one.start(table);
        one.abandon();
      }
      all.clear();
      MPI_Barrier(test.comm);
      for (long held = 2, round = 0; held > 1 && round < rounds; ++round) {
        if (binds) {
          const wherry::exchange next(comm, ring_plan(test), {}, how);
        } else {
          standing.start(table);
          standing.wait();
        }
        const long mine = plan.use_count();
        MPI_Allreduce(&mine, &held, 1, MPI_LONG, MPI_MAX, test.comm);
      }
      CHECK_EQUAL(plan.use_count(), 1L);
    }
  }
}

namespace {

/// Every rank's eight bytes to every other rank. What arrives is stored by a function of the user's, or combined by
/// one.
struct all_to_all_by_functions {
  all_to_all_by_functions(const context& test, const std::string& transport, bool combines)
      : me(test.rank),
        throws_left(test.rank == 0 && test.size > 1 ? 2 : 0),
        out(static_cast<std::size_t>(test.size), 1.0 + test.rank),
        in(static_cast<std::size_t>(test.size), 0),
        exchange(wherry::communicator(test.comm), plan(test.size, combines), code(combines), {.transport = transport}) {
  }

  wherry::plans::schedule plan(int ranks, bool combines) const {
    wherry::plans::schedule_builder made("functions", me);
    made.add_field({"out", 8, 0, 8 * ranks});
    made.add_field({"in", 8, 0, 8 * ranks});
    if (combines) made.arrives_by(0);
    for (int peer = 0; peer < ranks; ++peer) {
      if (peer == me) continue;
      const std::int64_t extents[] = {1}, strides[] = {8};
      made.send(peer, combines ? wherry::plans::strided_block(0, 8, 8 * peer, extents, strides)
                               : wherry::plans::called_block(0, peer, 8));
      made.receive(peer, combines ? wherry::plans::strided_block(1, 8, 8 * peer, extents, strides)
                                  : wherry::plans::called_block(1, peer, 8));
    }
    return made.finish();
  }
  wherry::plans::functions code(bool combines) {
    wherry::plans::functions made;
    if (combines) {
      made.reductions = {wherry::make_reduction<double>("the one that comes", [this](double, double came) {
        throw_at_first();
        return came;
      })};
    } else {
      const auto gather = [](const void* from, std::int64_t region, std::byte* wire) {
        std::copy_n(static_cast<const std::byte*>(from) + 8 * region, 8, wire);
      };
      const auto scatter = [this](void* to, std::int64_t region, const std::byte* wire) {
        throw_at_first();
        std::copy_n(wire, 8, static_cast<std::byte*>(to) + 8 * region);
      };
      made.accessors = {{gather, scatter}, {gather, scatter}};
    }
    return made;
  }
  void throw_at_first() {
    if (throws_left == 0) return;
    --throws_left;
    throw std::runtime_error("not today");
  }

  int me, throws_left;
  std::vector<double> out, in;
  wherry::exchange exchange;
};

}  // namespace

// An exchange of which a message could not be stored is given up as any other: nobody waits, and nothing is stored.
WHERRY_TEST(an_exchange_is_given_up_where_a_scatter_has_thrown, ranks(2, 3, 4)) {
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    for (int round = 0; round < 2; ++round) {
      all_to_all_by_functions all(test, name, false);
      void* const fields[] = {all.out.data(), all.in.data()};
      all.exchange.start(fields);
      if (test.rank == 0) {
        CHECK_THROWS_WITH(all.exchange.wait(), "not today");
        all.exchange.abandon();
        const auto before = all.in;
        MPI_Barrier(test.comm);
        CHECK(all.in == before);
      } else {
        all.exchange.wait();
        CHECK_EQUAL(all.in.front(), 1.0);
        MPI_Barrier(test.comm);
      }
    }
  }
}

// A function of the user's that throws where a message is stored loses nothing: the next wait stores that message, and
// the others.
WHERRY_TEST(the_next_wait_goes_on_where_a_scatter_has_thrown, ranks(1, 2, 3, 4)) {
  for (const auto& name : usable_transports(test.comm)) {
    for (const bool combines : {false, true}) {
      test.note(name + (combines ? ", combined" : ", stored"));
      all_to_all_by_functions all(test, name, combines);
      void* const fields[] = {all.out.data(), all.in.data()};
      int thrown = 0;
      for (int round = 0; round < 2; ++round) {
        bool started = false, over = false;
        while (!over && thrown < 5) {
          try {
            if (!std::exchange(started, true)) all.exchange.start(fields);
            all.exchange.wait();
            over = true;
          } catch (const std::runtime_error& problem) {
            if (std::string(problem.what()) != "not today") throw;
            ++thrown;
          }
        }
        for (int peer = 0; peer < test.size; ++peer)
          CHECK_EQUAL(all.in[static_cast<std::size_t>(peer)], peer == test.rank ? 0 : 1.0 + peer);
        std::fill(all.in.begin(), all.in.end(), 0);
      }
      CHECK_EQUAL(thrown, test.rank == 0 && test.size > 1 ? 2 : 0);
    }
  }
}
