// The generic all-to-all: raw memory, sections of arrays, user structures, between any ranks.
#include "wherry/halo/alltoall_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <numeric>
#include <random>
#include <vector>

#include "harness/harness.hpp"

namespace {

using wherry::alltoall_exchange;
using wherry::box;
using wherry::communicator;
using wherry::index_t;
using wherry::view;

}  // namespace

WHERRY_TEST(raw_memory_everywhere, ranks(1, 2, 3, 4, 8).not_simulated("messages for all pairs, over all transports")) {
  const communicator comm(test.comm);
  alltoall_exchange exchange(comm);
  const auto ranks = static_cast<std::size_t>(test.size);
  std::vector<int> out(ranks), in(ranks);
  for (int r = 0; r < test.size; ++r) {
    exchange.send(r, &out[static_cast<std::size_t>(r)], 4);
    exchange.receive(r, &in[static_cast<std::size_t>(r)], 4);
  }
  exchange.commit();
  for (int round = 0; round < 3; ++round) {
    for (std::size_t r = 0; r < ranks; ++r) out[r] = 1000 * round + 10 * test.rank + static_cast<int>(r);
    exchange();
    for (std::size_t r = 0; r < ranks; ++r) CHECK_EQUAL(in[r], 1000 * round + 10 * static_cast<int>(r) + test.rank);
  }
}

// A random list of motions that all ranks know: sections of three-dimensional arrays of different layouts.
WHERRY_TEST(random_sections, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  constexpr index_t n = 7, slots = 12;
  std::mt19937_64 random(test.seed);
  const auto below = [&](index_t limit) { return static_cast<index_t>(random() % static_cast<std::uint64_t>(limit)); };
  // Each rank's array has its own layout.
  const auto layout_of = [](int rank) {
    constexpr int places[6][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}};
    const auto& p = places[rank % 6];
    return wherry::layout<3>{{p[0], p[1], p[2]}};
  };
  std::vector<double> source_memory(n * n * n), target_memory(n * n * n * slots);
  const view<double, 3> source(source_memory.data(), {n, n, n}, layout_of(test.rank));
  const auto value = [](int rank, const wherry::point<3>& p) {
    return rank * 1e6 + static_cast<double>(p[0] * 10000 + p[1] * 100 + p[2]);
  };
  for_each_point(source.whole(), [&](const auto& p) { source[p] = value(test.rank, p); });

  for (int repetition = 0; repetition < 4; ++repetition) {
    alltoall_exchange exchange(comm);
    std::fill(target_memory.begin(), target_memory.end(), -1.0);
    struct motion {
      int from, to;
      box<3> part;
    };
    std::vector<motion> motions;
    for (index_t m = 0; m < slots; ++m) {
      motion one{static_cast<int>(below(test.size)), static_cast<int>(below(test.size)), {}};
      for (std::size_t d = 0; d < 3; ++d) {
        one.part.lower[d] = below(n);
        one.part.upper[d] = one.part.lower[d] + below(n - one.part.lower[d] + 1);  // also empty ones
      }
      motions.push_back(one);
    }
    const auto slot = [&](std::size_t m) {
      return view<double, 3>(target_memory.data() + m * n * n * n, {n, n, n}, layout_of(test.rank + 1));
    };
    for (std::size_t m = 0; m < motions.size(); ++m) {
      if (motions[m].from == test.rank) exchange.send(motions[m].to, source, motions[m].part);
      if (motions[m].to == test.rank) exchange.receive(motions[m].from, slot(m), motions[m].part);
    }
    exchange.commit();
    exchange();
    for (std::size_t m = 0; m < motions.size(); ++m)
      for_each_point(source.whole(), [&](const auto& p) {
        const bool mine = motions[m].to == test.rank && motions[m].part.contains(p);
        CHECK_EQUAL(slot(m)[p], mine ? value(motions[m].from, p) : -1.0);
      });
  }
}

// Shapes may differ as long as the elements are as many; then dimension 0 is fastest. A section may meet raw memory.
WHERRY_TEST(other_shapes, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
  std::vector<int> memory(12), plain(12, -1), row(12, -1);
  std::iota(memory.begin(), memory.end(), 100 * test.rank);
  const view<int, 2> c_order(memory.data(), {3, 4}, wherry::c_layout<2>());
  const view<int, 1> line(std::span<int>{row});
  alltoall_exchange exchange(comm);
  exchange.send(to, c_order, c_order.whole());
  exchange.send(to, c_order, c_order.whole());
  exchange.receive(from, plain.data(), 48);
  exchange.receive(from, line, line.whole());
  exchange.commit();
  exchange();
  for (int i = 0; i < 12; ++i) {
    const int expected = 100 * from + (i % 3) * 4 + i / 3;
    CHECK_EQUAL(plain[static_cast<std::size_t>(i)], expected);
    CHECK_EQUAL(row[static_cast<std::size_t>(i)], expected);
  }
}

// The layer L1: a linked list whose regions are every third element, against an array of a quite different kind.
WHERRY_TEST(user_structures, ranks(1, 2, 3, 4)) {
  const communicator comm(test.comm);
  using chain = std::list<float>;
  const auto gather = [](const chain& from, index_t region, std::byte* wire) {
    index_t i = 0;
    for (const float& value : from)
      if (i++ % 3 == region) wire = std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, wire);
  };
  const auto scatter = [](chain& into, index_t region, const std::byte* wire) {
    index_t i = 0;
    for (float& value : into)
      if (i++ % 3 == region) {
        std::copy_n(wire, sizeof value, reinterpret_cast<std::byte*>(&value));
        wire += sizeof value;
      }
  };
  chain mine, theirs(9, -1.0f);
  for (int i = 0; i < 9; ++i) mine.push_back(static_cast<float>(100 * test.rank + i));
  std::vector<float> third(3, -1.0f);
  const auto source = wherry::make_structure(mine, gather, scatter);
  const auto target = wherry::make_structure(theirs, gather, scatter);
  const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
  alltoall_exchange exchange(comm);
  exchange.send(to, source, 1, 12);
  exchange.receive(from, target, 2, 12);
  exchange.send(to, source, 0, 12);
  exchange.receive(from, third.data(), 12);
  exchange.commit();
  exchange();
  int i = 0;
  for (const float value : theirs) {
    CHECK_EQUAL(value, i % 3 == 2 ? static_cast<float>(100 * from + i - 1) : -1.0f);
    ++i;
  }
  for (int k = 0; k < 3; ++k) CHECK_EQUAL(third[static_cast<std::size_t>(k)], static_cast<float>(100 * from + 3 * k));
}

// Fields with halos by their own names: the core of one, a part of the other that reaches into its halo.
WHERRY_TEST(fields_with_halos, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  wherry::field<int, 2> a(comm, {4, 2}, 1),
      b(comm, {3, 1}, 1, {.layout = wherry::c_layout<2>(), .pad_rows = false, .name = "b"});
  for_each_point(a.core(), [&](const auto& p) { a[p] = static_cast<int>(10 * p[0] + p[1]) + 100 * test.rank; });
  const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
  alltoall_exchange exchange(comm);
  exchange.send(to, section_of(a));
  exchange.receive(from, section_of(b, box<2>{{-1, -1}, {3, 1}}));
  exchange.commit();
  exchange();
  for_each_point(a.core(), [&](const auto& p) {
    CHECK_EQUAL(b(p[0] - 1, p[1] - 1), static_cast<int>(10 * p[0] + p[1]) + 100 * from);
  });
}

WHERRY_TEST(swapped_buffers_need_no_setup, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
  std::vector<int> out{test.rank, 10, 20, 30}, next{100 + test.rank, 11, 21, 31}, in(4), other(4);
  const view<int, 2> pairs(out.data(), {2, 2}, {1, 2});  // strides in braces are no layout
  CHECK_EQUAL(pairs(0, 1), 20);
  alltoall_exchange exchange(comm);
  exchange.send(to, out.data(), 4);
  exchange.send(to, view<int, 1>(std::span(out)), box<1>{{1}, {4}});
  exchange.receive(from, in.data(), 4);
  exchange.receive(from, view<int, 1>(std::span(in)), box<1>{{1}, {4}});
  exchange.commit();
  exchange();
  CHECK_EQUAL(in[0], from);
  CHECK_EQUAL(in[3], 30);
  exchange.move_send(to, next.data());
  exchange.move_send(to, next.data() + 1, 1);
  exchange.move_receive(from, other.data() + 1, 1);
  CHECK(!exchange.needs_commit());
  exchange();
  CHECK_EQUAL(in[0], 100 + from);
  CHECK_EQUAL(in[3], 30);
  CHECK_EQUAL(other[3], 31);
  // What is in flight goes where it was to go.
  other[3] = 0;
  exchange.start();
  exchange.move_receive(from, in.data() + 1, 1);
  in[3] = 0;
  CHECK_THROWS_WITH(exchange.start(), "'start' was called again before 'wait'");
  exchange.wait();
  CHECK_EQUAL(other[3], 31);
  CHECK_EQUAL(in[3], 0);
  exchange();
  CHECK_EQUAL(in[3], 31);
  CHECK_THROWS_WITH(exchange.move_send(to, next.data(), 2),
                    wherry::detail::text("to rank ", to, " as number 2").c_str());
  CHECK_THROWS_WITH(exchange.move_receive(from, nullptr), "null pointer");
  exchange();
}

WHERRY_TEST(nothing_to_say, ranks(1, 2)) {
  const communicator comm(test.comm);
  alltoall_exchange exchange(comm);
  exchange.commit();
  exchange();
  exchange.send(0, nullptr, 0);
  if (test.rank == 0)
    for (int r = 0; r < test.size; ++r) exchange.receive(r, nullptr, 0);
  exchange.commit();
  exchange();
  wherry_test::pass();  // nobody waits
}

WHERRY_TEST(errors_of_all_to_all, ranks(1, 2, 4)) {
  const communicator comm(test.comm);
  std::vector<double> memory(16);
  const view<double, 2> array(memory.data(), {4, 4});
  const auto setup_after = [&](auto registration) {
    alltoall_exchange exchange(comm);
    if (test.rank == test.size - 1) registration(exchange);
    exchange.commit();
  };
  const auto no_such_rank = wherry::detail::text("expected a rank from 0 to ", test.size - 1);
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send(test.size, memory.data(), 8); }), no_such_rank.c_str());
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.receive(-1, memory.data(), 8); }), no_such_rank.c_str());
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send(0, array, box<2>{{0, 1}, {2, 5}}); }),
                    "from 1 to 5 in dimension 1, but the array from 0 to 4");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send(0, view<double, 2>(nullptr, {4, 4}), array.whole()); }),
                    "null pointer");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send(0, wherry::user_structure{&e, {}}, 0, 8); }),
                    "no gather and scatter functions");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.send(0, memory.data(), 8); }), "which expects nothing there");
  CHECK_THROWS_WITH(setup_after([&](auto& e) { e.receive(0, memory.data(), 8); }), "which sends nothing there");
  // Equal sums, different parts: the halves must match one by one.
  CHECK_THROWS_WITH(setup_after([&](auto& e) {
                      e.send(test.rank, memory.data(), 16);
                      e.send(test.rank, memory.data(), 32);
                      e.receive(test.rank, memory.data(), 32);
                      e.receive(test.rank, memory.data(), 16);
                    }),
                    "(number 0 of them), which expects 32 bytes");
  std::vector<float> floats(8);
  const view<float, 1> narrow(std::span<float>{floats});
  CHECK_THROWS_WITH(setup_after([&](auto& e) {
                      e.send(test.rank, array, box<2>{{0, 0}, {4, 1}});
                      e.receive(test.rank, narrow, narrow.whole());
                    }),
                    "elements of 8 bytes");
}
