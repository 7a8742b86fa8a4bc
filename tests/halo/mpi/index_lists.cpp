// Lists of all kinds, over everything that carries, against the plainest reference.
#include "wherry/halo/index_lists.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "wherry/core/node_allocator.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/halo/index_exchange.hpp"
#include "wherry/transport/transport.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::communicator;
using wherry::error_kind;
using wherry::index_exchange;
using wherry::index_lists;
using wherry::index_t;
using wherry::later_array;

namespace {

using indices = std::vector<index_t>;

constexpr int side = 12;                                                   // of the cube of rows
constexpr index_t rows = side * side * side, most = 200, room = 3 * most;  // where a peer's elements arrive, with gaps

indices face(random_numbers& random) {
  constexpr index_t step[] = {1, side, side * side};
  const auto fixed = static_cast<std::size_t>(random.between(0, 2));
  const auto inner = step[fixed == 0 ? 1 : 0], outer = step[fixed == 2 ? 1 : 2];
  const index_t first = random.chance(50) ? 0 : (side - 1) * step[fixed];
  indices all;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) all.push_back(first + i * inner + j * outer);
  return all;
}

indices sent(random_numbers& random) {
  const auto any = [&] { return static_cast<index_t>(random.between(0, rows - 1)); };
  indices all;
  switch (random.between(0, 6)) {
    case 0:
      return all;  // nothing
    case 1:
      all = face(random);
      break;
    case 2:  // one irregularity
      all = face(random);
      all[static_cast<std::size_t>(random.between(0, side * side - 1))] = any();
      break;
    case 3:  // an edge, forwards or backwards
      for (int i = 0; i < side; ++i) all.push_back(i * side * side);
      if (random.chance(50)) std::ranges::reverse(all);
      break;
    case 4:  // irregular, some of them several times
      for (int i = random.between(1, most); i > 0; --i) all.push_back(any());
      for (int i = random.between(0, 20); i > 0; --i)
        all[static_cast<std::size_t>(random.between(0, static_cast<int>(all.size()) - 1))] = all.front();
      break;
    case 5:  // runs of all lengths
      while (std::ssize(all) < most - 30)
        for (index_t first = any() / 2, i = 0, length = random.between(1, 30); i < length; ++i)
          all.push_back(first + i);
      break;
    default:
      all.push_back(any());
  }
  return all;
}

/// Places that are all different, in the peer's part of the externals.
indices received(random_numbers& random, int from, std::size_t count) {
  indices all(room);
  std::iota(all.begin(), all.end(), rows + from * room);
  if (random.chance(30)) random.shuffle(all);
  if (random.chance(30))
    for (std::size_t i = 0; i < count; ++i) all[i] = rows + from * room + 2 * static_cast<index_t>(i);
  all.resize(count);
  return all;
}

/// What all ranks know of all lists.
struct mesh {
  std::uint64_t seed;
  int ranks;

  indices leaving(int from, int to) const {
    random_numbers random(hash(seed, from, to));
    return sent(random);
  }
  indices arriving(int from, int to) const {
    random_numbers random(hash(seed, to, from, 1));
    return received(random, from, leaving(from, to).size());
  }
  index_lists lists(int rank) const {
    index_lists all;
    for (int peer = 0; peer < ranks; ++peer) {
      all.sends.push_back({peer, leaving(rank, peer)});
      all.receives.push_back({peer, arriving(peer, rank)});
    }
    return all;
  }
  index_t count() const { return rows + ranks * room; }
};

/// Any bytes, which tell rank, array and place.
template <class T> T value(int rank, int array, index_t at) {
  T result{};
  std::array<unsigned char, sizeof(T)> bytes;
  for (std::size_t b = 0; b < bytes.size(); ++b)
    bytes[b] = static_cast<unsigned char>(hash(rank, array, static_cast<int>(at), static_cast<int>(b)));
  std::memcpy(static_cast<void*>(&result), bytes.data(), sizeof result);
  return result;
}

template <class T> using vector_of = std::vector<T>;
using pair_of_bytes = std::array<unsigned char, 2>;
using three_words = std::array<std::uint32_t, 3>;
using three_longs = std::array<std::uint64_t, 3>;

/// One array of each size of elements.
template <template <class> class Vector> struct arrays {
  Vector<unsigned char> one;
  Vector<pair_of_bytes> two;
  Vector<std::uint32_t> four;
  Vector<std::uint64_t> eight;
  Vector<three_words> twelve;
  Vector<three_longs> twenty_four;

  template <class... Memory>
  explicit arrays(index_t count, const Memory&... memory)
      : one(static_cast<std::size_t>(count), memory...),
        two(static_cast<std::size_t>(count), memory...),
        four(static_cast<std::size_t>(count), memory...),
        eight(static_cast<std::size_t>(count), memory...),
        twelve(static_cast<std::size_t>(count), memory...),
        twenty_four(static_cast<std::size_t>(count), memory...) {}

  template <class Visit> void each(Visit&& visit) {
    visit(0, one);
    visit(1, two);
    visit(2, four);
    visit(3, eight);
    visit(4, twelve);
    visit(5, twenty_four);
  }
  template <class Use> auto all(Use&& use) { return use(one, two, four, eight, twelve, twenty_four); }

  void fill(int rank) { fill(rank, 0, std::ssize(one)); }
  void fill(int rank, index_t begin, index_t end) {
    each([&](int number, auto& array) {
      for (index_t i = begin; i < end; ++i)
        array[static_cast<std::size_t>(i)] = value<std::decay_t<decltype(array[0])>>(rank, number, i);
    });
  }
  /// As `fill` has made it, but for what has come from others.
  void check(const context& test, const mesh& whole) {
    std::vector<std::pair<int, index_t>> from(static_cast<std::size_t>(whole.count()), {test.rank, -1});
    for (int peer = 0; peer < test.size; ++peer) {
      const auto there = whole.leaving(peer, test.rank), here = whole.arriving(peer, test.rank);
      for (std::size_t k = 0; k < here.size(); ++k) from[static_cast<std::size_t>(here[k])] = {peer, there[k]};
    }
    each([&](int number, auto& array) {
      std::size_t wrong = 0;
      for (index_t i = 0; i < std::ssize(array); ++i) {
        const auto [rank, at] = from[static_cast<std::size_t>(i)];
        wrong += array[static_cast<std::size_t>(i)] !=
                 value<std::decay_t<decltype(array[0])>>(rank, number, at < 0 ? i : at);
      }
      CHECK_EQUAL(wrong, 0u);
    });
  }
};

/// With each transport there is, by its name, and `auto`.
template <class Use> void over_all(context& test, Use&& use) {
  std::vector<std::string> names{"auto"};
  for (const auto* row : wherry::transports::all_transports())
    if (!row->device_memory && (!row->node_only || wherry::current_settings().node_size == 0))
      names.push_back(row->name);
  for (const auto& name : names) {
    test.note(name);
    use(wherry::index_options{.carry = {.transport = name}});
  }
}

}  // namespace

WHERRY_TEST(random_lists, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole{test.seed, test.size};
  const auto lists = whole.lists(test.rank);
  arrays<vector_of> u(whole.count());
  arrays<wherry::node_vector> shared(whole.count(), comm);
  over_all(test, [&](const wherry::index_options& how) {
    index_exchange exchange = u.all([&](auto&... each) { return index_exchange(comm, lists, how, each...); });
    u.fill(test.rank);
    exchange();
    u.check(test, whole);
    index_exchange in_place = shared.all([&](auto&... each) { return index_exchange(comm, lists, how, each...); });
    shared.fill(test.rank);
    in_place();
    shared.check(test, whole);
  });
}

// Back and added up: each element gets what all its copies say, in whatever order of ranks; whole numbers do not mind.
WHERRY_TEST(random_lists_back, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole{test.seed, test.size};
  const auto lists = whole.lists(test.rank);
  const auto number = [](int rank, index_t at) { return static_cast<std::int64_t>(1000003 * rank + at); };
  std::vector<std::int64_t> u(static_cast<std::size_t>(whole.count())), expected;
  for (index_t i = 0; i < whole.count(); ++i) expected.push_back(number(test.rank, i));
  for (int peer = 0; peer < test.size; ++peer) {
    const auto mine = whole.leaving(test.rank, peer), there = whole.arriving(test.rank, peer);
    for (std::size_t k = 0; k < mine.size(); ++k) expected[static_cast<std::size_t>(mine[k])] += number(peer, there[k]);
  }
  over_all(test, [&](wherry::index_options how) {
    how.reverse = true;
    how.update = std::plus<>{};
    const index_t middle = (rows + whole.count()) / 2;
    how.parts = {{middle, whole.count()}, {rows, middle}};  // what leaves now
    index_exchange back(comm, lists, how, u);
    for (const bool in_parts : {false, true}) {
      for (index_t i = 0; i < whole.count(); ++i)
        u[static_cast<std::size_t>(i)] = in_parts && i >= rows ? -1 : number(test.rank, i);
      in_parts ? back.start_in_parts() : back.start();
      for (int part = 0; in_parts && part < 2; ++part) {
        const auto [begin, end] = how.parts[static_cast<std::size_t>(part)];
        for (index_t i = begin; i < end; ++i) u[static_cast<std::size_t>(i)] = number(test.rank, i);
        back.ready(part);
      }
      back.wait();
      CHECK(u == expected);
    }
  });
}

// Elements that are computed after the start, some of them in no part.
WHERRY_TEST(lists_in_parts, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole{test.seed, test.size};
  random_numbers together(test.seed), random(hash(test.seed, test.rank));  // parts are each rank's own
  arrays<vector_of> u(whole.count());
  over_all(test, [&](wherry::index_options how) {
    std::vector<wherry::index_part> parts;
    for (index_t begin = 0; begin < rows; begin = parts.back().end + random.between(0, 40))
      parts.push_back({begin, std::min(rows, begin + random.between(1, 900))});
    random.shuffle(parts);
    if (test.rank == 1 && random.chance(50)) parts.clear();
    how.parts = parts;
    if (together.chance(30)) how.carry.packet_bytes = 100;
    index_exchange exchange =
        u.all([&](auto&... each) { return index_exchange(comm, whole.lists(test.rank), how, each...); });
    for (int round = 0; round < 3; ++round) {
      u.fill(test.rank);
      if (parts.empty()) {
        exchange();
      } else {
        for (const auto& p : parts) u.fill(-1, p.begin, p.end);  // not yet what they should be
        u.all([&](auto&... each) { exchange.start_in_parts(each...); });
        std::vector<int> order(parts.size());
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        for (const int part : order) {
          const auto& p = parts[static_cast<std::size_t>(part)];
          u.fill(test.rank, p.begin, p.end);
          exchange.ready(part);
          if (random.chance(20)) CHECK(!exchange.test() || part == order.back());
        }
        exchange.wait();
      }
      u.check(test, whole);
    }
  });
}

// What needs no part that is still missing has left: a neighbour that hears of nothing else gets it.
WHERRY_TEST(lists_leave_with_their_last_part, ranks(3, 4).not_simulated("a spin that calls no MPI")) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  for (const std::string name : {"two_sided", "persistent"}) {
    test.note(name);
    index_lists lists;
    // Every other of the first and of the last eight.
    const indices low{0, 2, 4, 6}, high{24, 26, 28, 30}, from_next{32, 33, 34, 35}, from_before{36, 37, 38, 39};
    lists.sends = {{before, low}, {next, high}};
    lists.receives = {{next, from_next}, {before, from_before}};
    std::vector<int> x(40);
    std::iota(x.begin(), x.end(), 100 * test.rank);
    index_exchange exchange(comm, lists, {.parts = {{8, 16}, {0, 8}, {16, 24}, {24, 32}}, .carry = {.transport = name}},
                            x);
    exchange.start_in_parts();
    // Nothing else is ready before all ranks have got what they wait for.
    const auto wait_for = [&](int at, int value) {
      for (;;) {
        CHECK(!exchange.test());
        int mine = x[static_cast<std::size_t>(at)] == value ? 1 : 0, everywhere = 0;
        MPI_Allreduce(&mine, &everywhere, 1, MPI_INT, MPI_MIN, test.comm);
        if (everywhere != 0) break;
      }
    };
    exchange.ready(1);
    wait_for(35, 100 * next + 6);
    CHECK(x[39] != 100 * before + 30);
    exchange.ready(3);
    wait_for(39, 100 * before + 30);
    exchange.ready(0);
    exchange.ready(2);
    exchange.wait();
  }
}

WHERRY_TEST(wrong_parts_of_lists_are_named, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  std::vector<double> x(20);
  std::vector<float> y(10);
  const index_lists lists{{{test.rank, {0, 1}}}, {{test.rank, {8, 9}}}};
  const auto refused = [&](const char* words, const wherry::index_options& how) {
    all_throw(test, words, error_kind::argument, words, [&] { index_exchange(comm, lists, how, x, y); });
  };
  refused("part 1 has no elements", {.parts = {{0, 2}, {4, 4}}});
  refused("part 0 is elements 0 to 20, but the longest array has 20", {.parts = {{0, 21}}});
  refused("part 0 is elements -1 to 1", {.parts = {{-1, 2}}});
  refused("parts 1 and 0 both have element 3", {.parts = {{3, 6}, {2, 4}}});
  refused("'snapshot' cannot be used with 'parts'", {.parts = {{0, 2}}, .carry = {.snapshot = true}});
  index_exchange whole(comm, lists, x, y);
  all_throw(test, "none", error_kind::state, "'divide' was not called", [&] { whole.start_in_parts(x, y); });
}

WHERRY_TEST(packets_of_lists, ranks(1, 2, 4)) {
  const communicator comm(test.comm);
  const mesh whole{test.seed, test.size};
  for (const std::int64_t bytes : {1, 100, 1000}) {
    arrays<vector_of> u(whole.count());
    const wherry::index_options how{.carry = {.packet_bytes = bytes}};
    index_exchange exchange =
        u.all([&](auto&... each) { return index_exchange(comm, whole.lists(test.rank), how, each...); });
    u.fill(test.rank);
    exchange();
    u.check(test, whole);
  }
}

// Elements that lie apart, or backwards.
WHERRY_TEST(lists_of_views, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const indices leaving{0, 5, 3, 4, 9, 1}, arriving{19, 12, 17, 10, 11, 15};
  const index_lists lists{{{next, leaving}}, {{before, arriving}}};
  over_all(test, [&](wherry::index_options how) {
    std::vector<double> u(60), v(20);
    const wherry::view<double, 1> apart(u.data() + 1, {20}, wherry::point<1>{3}),
        backwards(v.data() + 19, {20}, wherry::point<1>{-1});
    const auto compute = [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) apart(i) = backwards(i) = static_cast<double>(100 * test.rank + i);
    };
    const bool in_parts = test.rank % 2 == 0;
    if (in_parts) how.parts = {{3, 10}, {0, 3}};
    index_exchange exchange(comm, lists, how, apart, backwards);
    compute(10, 20);
    if (in_parts) {
      exchange.start_in_parts();
      compute(3, 10);
      exchange.ready(0);
      compute(0, 3);
      exchange.ready(1);
      exchange.wait();
    } else {
      compute(0, 10);
      exchange();
    }
    for (index_t i = 0; i < 20; ++i) {
      const auto k = std::ranges::find(arriving, i) - arriving.begin();
      const bool came = k < std::ssize(arriving);
      const auto wanted =
          static_cast<double>(came ? 100 * before + leaving[static_cast<std::size_t>(k)] : 100 * test.rank + i);
      CHECK_EQUAL(apart(i), wanted);
      CHECK_EQUAL(backwards(i), wanted);
    }
    CHECK_EQUAL(std::ranges::count(u, 0.0), 40 + (test.rank == 0 ? 1 : 0) + (before == 0 ? 1 : 0));
  });
}

// What is regular needs no list, what is not 4 bytes a place, for arrays of all elements together.
WHERRY_TEST(plans_take_little_memory, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  constexpr index_t count = 20000;
  random_numbers random(test.seed);
  index_lists irregular{{{next, {}}}, {{before, {}}}}, cube = irregular;
  for (index_t i = 0; i < count; ++i) {
    irregular.sends[0].at.push_back(random.between(0, 10 * count - 1));
    irregular.receives[0].at.push_back(10 * count + i);
  }
  for (index_t i = 0; i < 100; ++i)
    for (index_t k = 0; k < 100; ++k) cube.sends[0].at.push_back(10 * k + 1000 * i);
  cube.receives[0] = {before, indices(10000)};
  std::iota(cube.receives[0].at.begin(), cube.receives[0].at.end(), 10 * count);
  const auto room_of = [&](const index_lists& lists) {
    const wherry::index_plan plan(comm, lists, later_array<double>(11 * count), later_array<float>(11 * count),
                                  later_array<three_longs>(11 * count));
    return plan.schedule().indices.memory();
  };
  CHECK_EQUAL(room_of(cube), 0u);
  CHECK(room_of(irregular) < 4 * count + 400);
}

// What was found in lists, and what of them is read in place.
WHERRY_TEST(lists_explain_themselves, ranks(2, 3).not_simulated("wants all ranks on one node")) {
  const communicator comm(test.comm);
  if (wherry::current_settings().transport != "auto" || wherry::current_settings().node_size != 0)
    test.skip("WHERRY_TRANSPORT or WHERRY_NODE_SIZE is set");
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  constexpr index_t count = 1000;
  const auto exchange_of = [&](indices leaving, auto& x) {
    index_lists lists{{{next, std::move(leaving)}}, {{before, indices(count)}}};
    std::iota(lists.receives[0].at.begin(), lists.receives[0].at.end(), 2 * count);
    return index_exchange(comm, lists, {.carry = {.transport = "shared"}}, x);
  };
  const auto says = [](const index_exchange& e, const char* words) {
    return e.explain().find(words) != std::string::npos;
  };
  wherry::node_vector<double> x(3 * count, comm);
  std::vector<double> elsewhere(3 * count);
  indices range(count);
  std::iota(range.begin(), range.end(), 5);
  CHECK(says(exchange_of(range, x), "read in place: 8000 B"));
  CHECK(!says(exchange_of(range, elsewhere), "read in place: "));
  auto every_second = range;
  for (auto& at : every_second) at = 2 * (at - 5);
  CHECK(!says(exchange_of(every_second, x), "read in place: "));  // short rows
  CHECK(says(exchange_of(every_second, x), "8 B × 1000 (stride 16)"));
  range[100] = 0;
  CHECK(says(exchange_of(range, x), "8 B × list of 1000: a run of 100, 1 single place (4 B each), a run of 899"));
}

// Lists come before vectors: one plan, exchanges of their own for several vectors, in flight together.
WHERRY_TEST(arrays_that_come_later, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole{test.seed, test.size};
  const auto n = whole.count();
  const wherry::index_plan plan(comm, whole.lists(test.rank), later_array<unsigned char>(n),
                                later_array<pair_of_bytes>(n), later_array<std::uint32_t>(n),
                                later_array<std::uint64_t>(n), later_array<three_words>(n),
                                later_array<three_longs>(n));
  arrays<vector_of> u(n), v(n);
  arrays<wherry::node_vector> w(n, comm);
  index_exchange first(plan), second(plan);
  index_exchange third = w.all([&](auto&... each) { return index_exchange(plan, each...); });
  const auto& steps = plan.schedule();
  if (steps.bytes_sent() + steps.bytes_received() + steps.bytes_copied() > 0)
    all_throw(test, "no arrays", error_kind::state, "before any field pointers were set", [&] { first.start(); });
  std::vector<unsigned char> shorter(5);
  all_throw(test, "one array", error_kind::argument, "start was given 1 arrays, but the exchange was made for 6",
            [&] { first.start(u.one); });
  for (int round = 0; round < 3; ++round) {
    u.fill(test.rank);
    v.fill(test.rank);
    w.fill(test.rank);
    u.all([&](auto&... each) { first.start(each...); });
    v.all([&](auto&... each) { second.start(each...); });
    third.start();
    second.wait();
    third.wait();
    first.wait();
    u.check(test, whole);
    v.check(test, whole);
    w.check(test, whole);
  }
  // An array elsewhere than the plan's takes its place.
  u.fill(test.rank);
  u.all([&](auto&... each) { third(each...); });
  u.check(test, whole);
}
