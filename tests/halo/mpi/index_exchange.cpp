// Index lists on a small unstructured mesh: a triangulated grid whose nodes are scattered over the ranks at random.
#include "wherry/halo/index_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <ranges>
#include <vector>

#include "harness/harness.hpp"

namespace {

using wherry::communicator;
using wherry::ghost;
using wherry::index_exchange;
using wherry::index_lists;
using wherry::index_t;

constexpr int width = 13, height = 9, nodes = width * height;

/// The whole mesh, the same on all ranks: corners of triangles, neighbours, owners.
struct mesh {
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::vector<int>> neighbors;
  std::vector<int> owner;

  mesh(std::uint64_t seed, int ranks) : neighbors(nodes), owner(nodes) {
    std::mt19937_64 random(seed);
    for (int y = 0; y + 1 < height; ++y)
      for (int x = 0; x + 1 < width; ++x) {
        const int a = y * width + x, b = a + 1, c = a + width, d = c + 1;
        if (random() % 2 == 0) {
          triangles.push_back({a, b, d});
          triangles.push_back({a, d, c});
        } else {
          triangles.push_back({a, b, c});
          triangles.push_back({b, d, c});
        }
      }
    for (const auto& t : triangles)
      for (const int a : t)
        for (const int b : t)
          if (a != b && std::ranges::find(neighbors[static_cast<std::size_t>(a)], b) ==
                            neighbors[static_cast<std::size_t>(a)].end())
            neighbors[static_cast<std::size_t>(a)].push_back(b);
    for (int& o : owner) o = static_cast<int>(random() % static_cast<std::uint64_t>(ranks));
  }
  int owner_of(int node) const { return owner[static_cast<std::size_t>(node)]; }
  const std::vector<int>& around(int node) const { return neighbors[static_cast<std::size_t>(node)]; }
};

/// One rank's part: its own nodes in a shuffled order, then ghosts of the nodes around them, shuffled too.
struct part {
  std::vector<int> global;  // of each local node
  std::map<int, index_t> local;
  std::size_t owned = 0;
  std::vector<ghost> ghosts;

  // Every rank can work out everybody's numbering, so that the test needs no communication of its own.
  static std::vector<int> owned_by(const mesh& whole, int rank, std::uint64_t seed) {
    std::vector<int> mine;
    for (int n = 0; n < nodes; ++n)
      if (whole.owner_of(n) == rank) mine.push_back(n);
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(rank));
    std::ranges::shuffle(mine, random);
    return mine;
  }

  part(const mesh& whole, int rank, std::uint64_t seed) : global(owned_by(whole, rank, seed)), owned(global.size()) {
    std::vector<int> others;
    for (std::size_t i = 0; i < owned; ++i)
      for (const int b : whole.around(global[i]))
        if (whole.owner_of(b) != rank && std::ranges::find(others, b) == others.end()) others.push_back(b);
    global.insert(global.end(), others.begin(), others.end());
    for (std::size_t i = 0; i < global.size(); ++i) local[global[i]] = static_cast<index_t>(i);
    for (const int b : others) {
      const auto theirs = owned_by(whole, whole.owner_of(b), seed);
      ghosts.push_back({whole.owner_of(b), std::ranges::find(theirs, b) - theirs.begin(), local[b]});
    }
    std::mt19937_64 random(seed);
    std::ranges::shuffle(ghosts, random);
  }
};

struct particle {
  float position[3];
  short kind;
  bool operator==(const particle&) const = default;
};

}  // namespace

WHERRY_TEST(ghosts_by_owner, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole(test.seed, test.size);
  const part mine(whole, test.rank, test.seed);
  const auto lists = resolve_ghosts(comm, mine.ghosts);

  const std::size_t count = mine.global.size();
  std::vector<double> pressure(count, -1);
  std::vector<particle> particles(count);
  std::vector<int> together(3 * count, -1), apart(2 * count, -1);
  const wherry::view<int, 2> xyz(together.data(), {3, static_cast<index_t>(count)});
  const wherry::view<int, 2> uv(apart.data(), {2, static_cast<index_t>(count)}, wherry::c_layout<2>());
  index_exchange exchange(comm, lists, pressure, particles, xyz, uv);
  for (int round = 0; round < 3; ++round) {
    const auto value = [&](int node) { return node + 1000.0 * round; };
    const auto body = [&](int node) {
      return particle{{static_cast<float>(node), 1.0f, static_cast<float>(round)}, static_cast<short>(node % 7)};
    };
    for (std::size_t i = 0; i < mine.owned; ++i) {
      const int node = mine.global[i];
      const auto at = static_cast<index_t>(i);
      pressure[i] = value(node);
      particles[i] = body(node);
      for (int c = 0; c < 3; ++c) xyz(c, at) = 10 * node + c + round;
      for (int c = 0; c < 2; ++c) uv(c, at) = 20 * node + c + round;
    }
    exchange();
    for (std::size_t i = 0; i < count; ++i) {
      const int node = mine.global[i];
      const auto at = static_cast<index_t>(i);
      CHECK_EQUAL(pressure[i], value(node));
      CHECK(particles[i] == body(node));
      for (int c = 0; c < 3; ++c) CHECK_EQUAL(xyz(c, at), 10 * node + c + round);
      for (int c = 0; c < 2; ++c) CHECK_EQUAL(uv(c, at), 20 * node + c + round);
    }
  }
}

WHERRY_TEST(laplacian_equals_serial, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole(test.seed, test.size);
  const part mine(whole, test.rank, test.seed);
  std::vector<double> serial(nodes), u(mine.global.size(), 0.0), next(mine.global.size());
  for (int n = 0; n < nodes; ++n) serial[static_cast<std::size_t>(n)] = n * n % 17;
  for (std::size_t i = 0; i < mine.owned; ++i) u[i] = serial[static_cast<std::size_t>(mine.global[i])];

  index_exchange exchange(comm, resolve_ghosts(comm, mine.ghosts), u);
  for (int step = 0; step < 4; ++step) {
    auto after = serial;
    for (int n = 0; n < nodes; ++n)
      for (const int b : whole.around(n))
        after[static_cast<std::size_t>(n)] += serial[static_cast<std::size_t>(b)] - serial[static_cast<std::size_t>(n)];
    serial = after;

    exchange(u);  // the arrays are swapped at each step
    next = u;
    for (std::size_t i = 0; i < mine.owned; ++i)
      for (const int b : whole.around(mine.global[i])) next[i] += u[static_cast<std::size_t>(mine.local.at(b))] - u[i];
    std::swap(u, next);
    for (std::size_t i = 0; i < mine.owned; ++i) CHECK_EQUAL(u[i], serial[static_cast<std::size_t>(mine.global[i])]);
  }
}

// Each triangle belongs to the owner of its first corner and adds something to all three corners.
WHERRY_TEST(assembly_equals_serial, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  const mesh whole(test.seed, test.size);
  const part mine(whole, test.rank, test.seed);
  std::vector<double> serial(nodes), sum(mine.global.size());
  std::vector<double> most_serial(nodes), most(mine.global.size());
  for (std::size_t t = 0; t < whole.triangles.size(); ++t)
    for (const int corner : whole.triangles[t]) {
      const auto at = static_cast<std::size_t>(corner);
      const double weight = static_cast<double>(t) + corner * 0.5;
      serial[at] += weight;
      most_serial[at] = std::max(most_serial[at], weight);
      if (whole.owner_of(whole.triangles[t][0]) != test.rank) continue;
      const auto here = static_cast<std::size_t>(mine.local.at(corner));
      sum[here] += weight;
      most[here] = std::max(most[here], weight);
    }
  const auto lists = resolve_ghosts(comm, mine.ghosts);
  const auto parts = sum;
  index_exchange add_up(comm, lists, wherry::index_options{.reverse = true, .update = std::plus<>{}}, sum);
  index_exchange largest(comm, lists, wherry::index_options{.reverse = true, .update = wherry::maximum{}}, most);
  add_up.start();
  largest.start();
  largest.wait();
  add_up.wait();
  for (const auto* transport : {"two_sided", "shared", "one_sided"}) {
    auto everywhere = parts;
    index_exchange both_ways(comm, lists, {.combine_copies = std::plus<>{}, .carry = {.transport = transport}},
                             everywhere);
    CHECK(both_ways.schedule().stages.size() == 2);
    both_ways();
    for (std::size_t i = 0; i < everywhere.size(); ++i)  // ghosts, too
      CHECK_EQUAL(everywhere[i], serial[static_cast<std::size_t>(mine.global[i])]);
  }
  for (std::size_t i = 0; i < mine.owned; ++i) {
    CHECK_EQUAL(sum[i], serial[static_cast<std::size_t>(mine.global[i])]);
    CHECK_EQUAL(most[i], most_serial[static_cast<std::size_t>(mine.global[i])]);
  }
}

// A ring in explicit lists, which on one rank is a list to itself; there and back.
WHERRY_TEST(explicit_lists, ranks(1, 2, 3, 4)) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const index_lists lists{{{next, {4, 2, 2}}}, {{before, {7, 0, 9}}}};
  std::vector<int> u(10);
  std::iota(u.begin(), u.end(), 100 * test.rank);
  index_exchange exchange(comm, lists, u);
  exchange();
  for (int i = 0; i < 10; ++i) {
    const int expected = i == 7 ? 100 * before + 4 : i == 0 || i == 9 ? 100 * before + 2 : 100 * test.rank + i;
    CHECK_EQUAL(u[static_cast<std::size_t>(i)], expected);
  }
  index_exchange back(comm, lists, wherry::index_options{.reverse = true, .update = std::plus<>{}}, u);
  std::fill(u.begin(), u.end(), 1);
  back();
  for (int i = 0; i < 10; ++i) CHECK_EQUAL(u[static_cast<std::size_t>(i)], i == 4 ? 2 : i == 2 ? 3 : 1);
  // Element 2 has two ghosts: which of them would stay?
  const auto store_back = [&] { index_exchange(comm, lists, wherry::index_options{.reverse = true}, u); };
  CHECK_THROWS_WITH(index_exchange(comm, lists, {.reverse = true, .combine_copies = std::plus<>{}}, u),
                    "'combine_copies' cannot be used with 'reverse'");
  CHECK_THROWS_WITH(store_back(), "'reverse' needs an 'update', such as std::plus<>{}");
}

// Arrays whose elements lie equally far apart share the places of theirs; what is regular in the lists needs none.
WHERRY_TEST(places_are_kept_once, ranks(2, 3)) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const index_lists lists{{{next, {4, 2, 9, 3}}}, {{before, {15, 13, 10, 11}}}};
  std::vector<double> u(16), v(16);
  std::vector<float> w(16);
  for (std::size_t i = 0; i < 16; ++i) u[i] = v[i] = static_cast<double>(i), w[i] = static_cast<float>(i);
  index_exchange exchange(comm, lists, u, v, w);
  CHECK_EQUAL(exchange.schedule().indices.size(), 2);  // to and from, in elements of any size
  exchange();
  for (const std::size_t i : {0u, 1u, 2u, 3u}) {
    const std::size_t there[] = {4, 2, 9, 3}, here[] = {15, 13, 10, 11};
    CHECK_EQUAL(u[here[i]], static_cast<double>(there[i]));
    CHECK_EQUAL(v[here[i]], static_cast<double>(there[i]));
    CHECK_EQUAL(w[here[i]], static_cast<float>(there[i]));
  }
  const index_lists even{{{next, {0, 1, 4, 5}}}, {{before, {10, 12, 14, 8}}}};
  CHECK_EQUAL(index_exchange(comm, even, u, v).schedule().indices.size(), 1);
}

// An update on the way there, and the way back without one.
WHERRY_TEST(update_and_reverse_alone, ranks(1, 2, 3, 4)) {
  const communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const index_lists lists{{{next, {0, 1}}}, {{before, {3, 2}}}};
  std::vector<int> u{100 * test.rank, 100 * test.rank + 1, 7, 8};
  index_exchange(comm, lists, wherry::index_options{.update = std::plus<>{}}, u)();
  CHECK_EQUAL(u[0], 100 * test.rank);
  CHECK_EQUAL(u[2], 100 * before + 1 + 7);
  CHECK_EQUAL(u[3], 100 * before + 8);
  u[2] = test.rank;
  index_exchange(comm, lists, wherry::index_options{.reverse = true}, u)();
  CHECK_EQUAL(u[1], next);
  CHECK_EQUAL(u[0], 100 * test.rank + 8);
}

WHERRY_TEST(nobody_has_ghosts, ranks(1, 2, 3)) {
  const communicator comm(test.comm);
  std::vector<double> none;
  const auto lists = resolve_ghosts(comm, {});
  CHECK(lists == index_lists{});
  index_exchange exchange(comm, lists, none);
  exchange();
}

WHERRY_TEST(errors_of_index_exchange, ranks(1, 2, 4)) {
  const communicator comm(test.comm);
  const bool faulty = test.rank == test.size - 1;
  const auto resolve_with = [&](ghost bad) {
    std::vector<ghost> ghosts{{0, 0, 5}};
    if (faulty) ghosts.push_back(bad);
    resolve_ghosts(comm, ghosts);
  };
  CHECK_THROWS_WITH(resolve_with({test.size, 0, 1}),
                    wherry::detail::text("ghost 1 is owned by rank ", test.size).c_str());
  CHECK_THROWS_WITH(resolve_with({0, -2, 1}), "ghost 1 mirrors element -2 of rank 0");
  CHECK_THROWS_WITH(resolve_with({0, 0, -1}), "ghost -1 has a negative index");
  CHECK_THROWS_WITH(resolve_with({0, 3, 5}), "ghost 5 is named twice");

  std::vector<double> u(10);
  const auto bind_with = [&](const index_lists& good, const index_lists& bad, wherry::index_options options = {}) {
    index_exchange exchange(comm, faulty ? bad : good, options, u);
  };
  CHECK_THROWS_WITH(bind_with({}, {{{test.size, {1}}}, {}}),
                    wherry::detail::text("a list is for rank ", test.size).c_str());
  CHECK_THROWS_WITH(bind_with({}, {{{0, {10}}}, {}}), "index 10, sent to rank 0, lies outside array 0, which has 10");
  CHECK_THROWS_WITH(bind_with({}, {{{test.rank, {1, 2}}}, {{test.rank, {3}}}}),
                    "the lists send the rank itself 2 elements, but it expects 1 from itself");
  CHECK_THROWS_WITH(bind_with({}, {},
                              {.reverse = true,
                               .update = wherry::make_reduction<std::array<char, 3>>(
                                   "odd", [](const auto& a, const auto&) { return a; })}),
                    "works on elements of 3 bytes");
  if (test.size > 1) CHECK_THROWS_WITH(bind_with({{}, {{test.size - 1, {1, 2}}}}, {{{0, {1}}}, {}}), "expects");
}
